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
package org.orcagrid.grid;

import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.orcagrid.client.Codec;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.ReleaseGridMap;
import org.orcagrid.client.map.TransactionalGridMap;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.grid.ModelTally.Claim;

/**
 * Rounds in which members of a grid look for what a model promises across the wire between them.
 *
 * <p>In each round the far member writes {@value #FIRST}. The member that passes it on writes
 * {@value #SECOND} when it sees that, and the member that judges, which is near to that one, must
 * not see the second without the first, whichever of the packets was lost or overtaken. Two writes
 * of one transaction are seen together; with release consistency the second is the far member's
 * release, and who acquires it sees the first. The next round begins when the far member sees that
 * this one was judged.
 *
 * <p>In other rounds a member says that a write of its has completed, by another way than the
 * grid's, and then another looks for it.
 */
final class ModelRounds {
  private static final String FIRST = "first";
  private static final String SECOND = "second";
  private static final String JUDGED = "judged";
  private static final String COMPLETED = "completed";
  private static final long PAUSE_NANOS = 1_000_000;

  private final Ddp model;
  private final int rounds;
  private final ModelTally tally;
  private final Losses losses;
  private volatile boolean over;

  /** What is done again when a node was left out of the grid meanwhile. */
  interface Losses {
    /** Does something until no life of the node has ended meanwhile. */
    <T> T persist(Supplier<T> what);
  }

  ModelRounds(Ddp model, int rounds, ModelTally tally, Losses losses) {
    this.model = model;
    this.rounds = rounds;
    this.tally = tally;
    this.losses = losses;
  }

  static String name(Ddp model) {
    return model.id().replace('/', '.');
  }

  /** A member's map of a model. */
  static GridMap<String, Long> map(GridMaps member, Ddp model) {
    return patiently(() -> member.map(name(model), Codec.STRING, Codec.LONG, model))
        .timeout(Ports.PATIENCE);
  }

  private ReleaseGridMap<String, Long> releases(GridMaps member) {
    return patiently(() -> member.releaseMap(name(model), Codec.STRING, Codec.LONG, model))
        .timeout(Ports.PATIENCE);
  }

  private TransactionalGridMap<String, Long> transactions(GridMaps member) {
    return patiently(() -> member.transactionalMap(name(model), Codec.STRING, Codec.LONG, model))
        .timeout(Ports.PATIENCE);
  }

  /** A map is waited for 30 s, which is not long on an emulated processor that gets no time. */
  private static <T> T patiently(Supplier<T> map) {
    long end = end();
    while (true) {
      try {
        return map.get();
      } catch (IllegalStateException e) {
        if (System.nanoTime() - end >= 0) {
          throw e;
        }
      }
    }
  }

  private static long number(Long value) {
    return value == null ? 0 : value;
  }

  private static void pause(long end, String what) {
    if (System.nanoTime() - end >= 0) {
      throw new IllegalStateException(what + " lasts " + Ports.PATIENCE);
    }
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  private static long end() {
    return System.nanoTime() + Ports.PATIENCE.toNanos();
  }

  // --- one after the other -----------------------------------------------------------------------

  /** The far member's part. */
  void write(GridMaps far) {
    LongConsumer both = writing(far);
    GridMap<String, Long> map = map(far, model);
    for (long round = 1; round <= rounds; round++) {
      long number = round;
      losses.persist(
          () -> {
            both.accept(number);
            long end = end();
            while (number(map.get(JUDGED)) < number) {
              pause(end, "Round " + number + " of " + model);
            }
            return null;
          });
    }
  }

  private LongConsumer writing(GridMaps far) {
    if (model.consistency() == Consistency.TRANSACTIONAL) {
      TransactionalGridMap<String, Long> map = transactions(far);
      return round ->
          map.inTransaction(
              transaction -> {
                transaction.set(FIRST, round);
                transaction.set(SECOND, round);
                return null;
              });
    } else if (model.consistency() == Consistency.RELEASE) {
      ReleaseGridMap<String, Long> map = releases(far);
      return round -> {
        map.set(FIRST, round);
        map.setRelease(SECOND, round);
      };
    }
    GridMap<String, Long> map = map(far, model);
    return round -> map.set(FIRST, round);
  }

  /** Whether the far member writes {@link #SECOND} itself. */
  private boolean isBothByOne() {
    return model.consistency() == Consistency.TRANSACTIONAL
        || model.consistency() == Consistency.RELEASE;
  }

  /** The part of the member that passes on, until all was judged; looks at the other one, too. */
  void pass(GridMaps near, GridMaps judge) {
    Reading here = reading(near);
    Reading there = reading(judge);
    GridMap<String, Long> map = map(near, model);
    String key = isBothByOne() ? SECOND : FIRST;
    // Where it is not promised nothing waits for it, and the second write is as early as can be.
    boolean looksFirst = Claim.FOR_ALL.isMadeBy(model);
    losses.persist(
        () -> {
          long seen = 0;
          long end = end();
          while (!over) {
            long value = number(here.get(key));
            if (value > seen) {
              seen = value;
              if (looksFirst) {
                tally.look(Claim.FOR_ALL, number(there.get(key)) >= value);
              }
              if (!isBothByOne()) {
                map.set(SECOND, value);
              }
              if (!looksFirst) {
                tally.look(Claim.FOR_ALL, number(there.get(key)) >= value);
              }
            }
            pause(end, "Passing on in " + model);
          }
          return null;
        });
  }

  /** The part of the member that judges. */
  void judge(GridMaps judge) {
    try {
      GridMap<String, Long> map = map(judge, model);
      Look look = look(judge);
      losses.persist(
          () -> {
            long seen = 0;
            long end = end();
            while (seen < rounds) {
              Map.Entry<Long, Long> both = look.both();
              if (both.getKey() > seen) {
                seen = both.getKey();
                tally.look(Claim.ORDER, both.getValue() >= seen);
                map.set(JUDGED, seen);
              }
              pause(end, "Judging " + model);
            }
            return null;
          });
    } finally {
      over = true;
    }
  }

  /** A read that synchronizes, where there are such. */
  private interface Reading {
    Long get(String key);
  }

  private Reading reading(GridMaps member) {
    if (model.consistency() == Consistency.RELEASE) {
      return releases(member)::getAcquire;
    }
    return plain(member);
  }

  private Reading plain(GridMaps member) {
    return map(member, model)::get;
  }

  /** Reads {@link #SECOND} and then {@link #FIRST}. */
  private interface Look {
    Map.Entry<Long, Long> both();
  }

  private Look look(GridMaps member) {
    if (model.consistency() == Consistency.TRANSACTIONAL) {
      TransactionalGridMap<String, Long> map = transactions(member);
      return () ->
          map.inTransaction(all -> Map.entry(number(all.get(SECOND)), number(all.get(FIRST))));
    } else if (model.consistency() == Consistency.RELEASE) {
      ReleaseGridMap<String, Long> map = releases(member);
      return () -> Map.entry(number(map.getAcquire(SECOND)), number(map.get(FIRST)));
    }
    GridMap<String, Long> map = map(member, model);
    return () -> Map.entry(number(map.get(SECOND)), number(map.get(FIRST)));
  }

  // --- said to have completed --------------------------------------------------------------------

  private static String completed(int guest) {
    return COMPLETED + guest;
  }

  /**
   * Both guests' part: in turns one of them writes and says so, and the members of the other look.
   */
  void tell(Meeting meeting, int guest, List<? extends GridMaps> here) throws Exception {
    // With strict persistency relaxed accesses promise it, too.
    boolean isRelaxed = Promise.NON_STALE_READS.isMadeBy(model);
    List<Reading> readings =
        here.stream().map(member -> isRelaxed ? plain(member) : reading(member)).toList();
    ObjLongConsumer<String> writing = completing(here.get(0), isRelaxed);
    for (int round = 1; round <= rounds; round++) {
      long number = round;
      String key = completed(writerOf(round));
      String what = name(model) + "-" + round;
      if (writerOf(round) == guest) {
        losses.persist(
            () -> {
              writing.accept(key, number);
              return null;
            });
        meeting.say(what);
      } else {
        meeting.await(what);
        for (Reading reading : readings) {
          Long seen = losses.persist(() -> reading.get(key));
          tally.look(Claim.COMPLETED_SEEN, number(seen) >= number);
        }
      }
    }
  }

  private static int writerOf(int round) {
    return 1 + round % 2;
  }

  private ObjLongConsumer<String> completing(GridMaps member, boolean isRelaxed) {
    if (model.consistency() == Consistency.RELEASE && !isRelaxed) {
      return releases(member)::setRelease;
    }
    return map(member, model)::set;
  }

  /** What is there when all rounds are over. */
  Map<String, Long> result() {
    long last = rounds;
    return Map.of(
        FIRST,
        last,
        SECOND,
        last,
        JUDGED,
        last,
        completed(writerOf(rounds)),
        last,
        completed(writerOf(rounds - 1)),
        last - 1);
  }
}
