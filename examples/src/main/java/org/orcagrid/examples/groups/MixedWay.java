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
package org.orcagrid.examples.groups;

import static org.orcagrid.mixed.Mixed.both;
import static org.orcagrid.mixed.Mixed.value;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.run.Committed;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.run.MixedWorker;
import org.orcagrid.mixed.run.OutcomeUnknownException;
import org.orcagrid.mixed.run.TransactionAbortedException;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.causal.CausalInstance;

/** One transaction over both stores, whole or not at all. */
final class MixedWay implements Way {
  private static final StoreName<Linearizable> ORCA = new StoreName<>("orca", Linearizable.class);
  private static final StoreName<Causal> INBOXES = new StoreName<>("inboxes", Causal.class);
  private static final Handle<Linearizable, Long> POSTS = ORCA.object("posts");
  private static final Handle<Causal, List<String>> INBOX = INBOXES.object("inbox");

  private static final Duration DEADLINE = Duration.ofMillis(1_500);
  private static final Duration AGE = Duration.ofSeconds(3);
  private static final Duration RETENTION = Duration.ofHours(1);
  private static final Duration EVERY = Duration.ofMillis(500);

  private final Regions regions;
  private final Map<String, CausalInstance> instances;
  private final Map<String, MixedClient> clients = new LinkedHashMap<>();
  private final MixedWorker worker;

  MixedWay(Regions regions) throws StoreException {
    this.regions = regions;
    this.instances = regions.inboxes("inboxes");
    for (String each : Regions.NAMES) {
      clients.put(each, client(instances.get(each)));
    }
    List<Store> all = new ArrayList<>(instances.values());
    all.add(regions.orca("/mixed"));
    this.worker = new MixedWorker(all, AGE, RETENTION);
    worker.start(EVERY);
  }

  private MixedClient client(Store inboxes) throws StoreException {
    return new MixedClient(List.of(regions.orca("/mixed"), inboxes), DEADLINE);
  }

  @Override
  public String id() {
    return "mixed";
  }

  @Override
  public String post(String region, String text, boolean dies) {
    if (!dies) {
      return post(clients.get(region), text);
    }
    // All that it wants from the inboxes from now on does not get there.
    try (MixedClient dying = client(new Unreachable(instances.get(region)))) {
      return post(dying, text);
    } catch (StoreException e) {
      return "not begun: " + e.getMessage();
    }
  }

  private static String post(MixedClient client, String text) {
    try {
      Committed done =
          client.transaction(
              POSTS.change(Counting.ONE_MORE, value(1L)),
              INBOX.change(
                  Regions.INSERT, both(POSTS.get(), value(text)).map((n, t) -> n + ": " + t)));
      return done.pending().isEmpty()
          ? "committed"
          : "committed; " + String.join(", ", done.pending()) + " follows";
    } catch (TransactionAbortedException | OutcomeUnknownException e) {
      return e.getMessage();
    }
  }

  @Override
  public Sight read(String region) {
    Out<Linearizable, Long> count = new Out<>(Linearizable.class);
    Out<Causal, List<String>> inbox = new Out<>(Causal.class);
    try {
      Committed read =
          clients.get(region).transaction(count.set(POSTS.get()), inbox.set(INBOX.get()));
      Long posts = count.of(read.results());
      List<String> all = inbox.of(read.results());
      return new Sight(
          true, posts == null ? 0 : posts, all == null ? List.of() : List.copyOf(all), "");
    } catch (TransactionAbortedException e) {
      return Sight.notYet(e.getMessage());
    }
  }

  @Override
  public void close() {
    clients.values().forEach(MixedClient::close);
    worker.close();
  }
}
