/*
 * Copyright 2026 The Orca Grid authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.orcagrid.bench.myria;

import static org.orcagrid.mixed.Mixed.change;
import static org.orcagrid.mixed.Mixed.forEach;
import static org.orcagrid.mixed.Mixed.plan;
import static org.orcagrid.mixed.Mixed.value;
import static org.orcagrid.mixed.Mixed.when;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.orcagrid.mixed.Change;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.Plan;

/** Transactions of both benchmarks (section 6.2). */
final class Operations {
  private static final int NAMES = 400_000;
  private static final double ZIPF = 0.99;
  private static final String MESSAGE = "the same message, as in the paper";

  private static final StoreName<Linearizable> STRONG =
      new StoreName<>("strong", Linearizable.class);
  private static final StoreName<Causal> CAUSAL = new StoreName<>("causal", Causal.class);

  private static final Change<Long, Long> ADD =
      Change.of("add", (present, more) -> (present == null ? 0 : present) + more);
  private static final Change<List<String>, String> INSERT =
      Change.of("insert", Operations::inserted);

  private final SplittableRandom random;
  private final double[] upTo = new double[NAMES];

  /** What one operation is. */
  enum Kind {
    STRONG_READ,
    STRONG_WRITE,
    CAUSAL_READ,
    CAUSAL_WRITE,
    POST
  }

  Operations(SplittableRandom random) {
    this.random = random;
    double sum = 0;
    for (int i = 0; i < NAMES; i++) {
      sum += 1 / Math.pow(i + 1, ZIPF);
      upTo[i] = sum;
    }
  }

  private static List<String> inserted(List<String> present, String message) {
    List<String> all = present == null ? new ArrayList<>() : new ArrayList<>(present);
    if (!all.contains(message)) {
      all.add(message);
    }
    return all;
  }

  private long uniform() {
    return random.nextInt(NAMES);
  }

  private long zipf() {
    double at = random.nextDouble() * upTo[NAMES - 1];
    int low = 0;
    int high = NAMES - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (upTo[middle] < at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    // Which names are popular is no matter of their order.
    return (low * 48_271L) % NAMES;
  }

  Kind next(Load load) {
    int of = random.nextInt(10_000);
    boolean isStrong = of < load.strongPercent() * 100;
    boolean isWrite = random.nextInt(10_000) < load.writePercent() * 100;
    if (load.isGroups()) {
      // As in figure 7: of 100 operations 24 are checks, 4 of them in posts, and 1 is a join.
      int at = random.nextInt(96);
      return at < 20
          ? Kind.STRONG_READ
          : at < 21 ? Kind.STRONG_WRITE : at < 92 ? Kind.CAUSAL_READ : Kind.POST;
    }
    if (isStrong) {
      return isWrite ? Kind.STRONG_WRITE : Kind.STRONG_READ;
    }
    return isWrite ? Kind.CAUSAL_WRITE : Kind.CAUSAL_READ;
  }

  /** How many of the paper's operations it is. */
  static int events(Kind kind) {
    return kind == Kind.POST ? 2 : 1;
  }

  Plan of(Kind kind, Load load) {
    return load.isGroups() ? groups(kind) : synthetic(kind);
  }

  private Plan synthetic(Kind kind) {
    Handle<Linearizable, Long> strong =
        STRONG.object(kind == Kind.STRONG_READ ? zipf() : uniform());
    Handle<Causal, Long> causal = CAUSAL.object(kind == Kind.CAUSAL_READ ? zipf() : uniform());
    return switch (kind) {
      case STRONG_READ -> plan(new Out<Linearizable, Long>(Linearizable.class).set(strong.get()));
      case STRONG_WRITE -> plan(strong.change(ADD, value(1L)));
      case CAUSAL_READ -> plan(new Out<Causal, Long>(Causal.class).set(causal.get()));
      default -> plan(causal.change(ADD, value(1L)));
    };
  }

  private Plan groups(Kind kind) {
    long group = uniform();
    String user = "u" + group;
    Handle<Linearizable, List<String>> members = STRONG.object(group);
    return switch (kind) {
      case STRONG_READ ->
          plan(
              new Out<Linearizable, Boolean>(Linearizable.class)
                  .set(members.get().map(all -> all != null && all.contains(user))));
      case STRONG_WRITE -> plan(members.change(INSERT, value(user)));
      case CAUSAL_READ -> {
        Handle<Causal, List<String>> inbox = CAUSAL.object("u" + zipf());
        yield plan(new Out<Causal, List<String>>(Causal.class).set(inbox.get()));
      }
      default ->
          plan(
              when(members.get().is(all -> all == null || all.contains(user)))
                  .then(
                      forEach(members.get().map(all -> all == null ? List.of(user) : all))
                          .then(
                              each ->
                                  change(
                                      Causal.class,
                                      each.map(CAUSAL::<List<String>>object),
                                      INSERT,
                                      value(MESSAGE)))));
    };
  }
}
