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
package org.orcagrid.ddp.replica;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.model.Consistency;

/**
 * Linearizable and read-enforced consistency (DDP, sections 5.2, 5.3 and 5.5; after Hermes): a
 * coordinator sends a version to all nodes (INV), each of which holds back reads of the key until
 * the coordinator knows that all have it (ACK) and says so (VAL).
 *
 * <p>The versions of a key are ordered by their clocks, so that writes of several coordinators need
 * no agreement. A coordinator that is gone is stood in for by every node that still waits for its
 * VAL: it sends the same version under the same clock.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>a version is valid only if every member has it or a later one;
 *   <li>a node shows a version only while it is valid, and with read-enforced persistency durable
 *       at all members;
 *   <li>a version whose writer is gone is valid some time, or later ones are.
 * </ol>
 */
final class Invalidations implements Protocol {
  private final Replica replica;
  private final boolean completesAtOnce;

  /** What this node coordinates, by clock. */
  private final Map<Long, Pending> pending = new LinkedHashMap<>();

  /** Keys of versions that are not known to be at all nodes, as valid or durable as they become. */
  private final Set<Key> unsettled = new LinkedHashSet<>();

  /** A version that is on its way to all nodes. */
  private static final class Pending {
    private final Write write;

    /** Null if it is done, or somebody else's. */
    private Operation operation;

    private int has;
    private int persisted;
    private boolean saidValid;
    private boolean saidDurable;

    private Pending(Write write, Operation operation) {
      this.write = write;
      this.operation = operation;
    }
  }

  Invalidations(Replica replica) {
    this.replica = replica;
    this.completesAtOnce = replica.model().consistency() == Consistency.READ_ENFORCED;
  }

  @Override
  public boolean begin(Operation operation) {
    if (operation.kind() == Operation.Kind.READ) {
      return read(operation);
    }
    write(operation);
    return true;
  }

  private boolean read(Operation operation) {
    Entry entry = replica.look(operation.key());
    if (!entry.isValid() && replica.keeps(ReplicaRule.READ_WAITS_FOR_VALID)) {
      return false;
    }
    if (replica.persistency().isBeforeRead()
        && !entry.isDurable()
        && replica.keeps(ReplicaRule.READ_WAITS_FOR_DURABLE)) {
      return false;
    }
    replica.complete(operation, entry.write());
    return true;
  }

  private void write(Operation operation) {
    Write write = new Write(operation.key(), replica.nextClock(), operation.value());
    operation.clock(write.clock());
    replica.scopes().add(operation.session(), write);
    Pending started = new Pending(write, operation);
    if (completesAtOnce && !replica.persistency().isBeforeCompletion()) {
      complete(started);
    }
    coordinate(started);
  }

  private void complete(Pending write) {
    Operation operation = write.operation;
    if (operation != null) {
      write.operation = null;
      replica.complete(operation);
    }
  }

  private void coordinate(Pending started) {
    pending.put(started.write.clock(), started);
    replica.broadcast(new ReplicaMessage.Inv(started.write));
    take(
        started.write,
        what -> {
          acknowledge(started, replica.self(), what);
          check(started);
        });
  }

  /** Takes a version, and tells when this node has it as it must. */
  private void take(Write write, IntConsumer acknowledged) {
    replica.learn(write.clock());
    Entry entry = replica.entry(write.key());
    entry.set(write);
    unsettled.add(write.key());
    LogRecord record = new LogRecord.Version(write);
    if (replica.persistency().isBeforeVisible()) {
      replica
          .journal()
          .persist(
              record,
              () -> {
                if (replica.keeps(ReplicaRule.ACK_WHEN_DURABLE)) {
                  acknowledged.accept(ReplicaMessage.CONSISTENCY | ReplicaMessage.PERSISTENCY);
                }
              });
      if (!replica.keeps(ReplicaRule.ACK_WHEN_DURABLE)) {
        acknowledged.accept(ReplicaMessage.CONSISTENCY | ReplicaMessage.PERSISTENCY);
      }
      return;
    }
    acknowledged.accept(ReplicaMessage.CONSISTENCY);
    if (replica.persistency().isBeforeRead()) {
      replica.journal().persist(record, () -> acknowledged.accept(ReplicaMessage.PERSISTENCY));
    } else if (!replica.persistency().isByScope()) {
      replica.journal().persistLater(record);
    }
  }

  @Override
  public void onMessage(int from, ReplicaMessage message) {
    if (message instanceof ReplicaMessage.Inv inv) {
      long clock = inv.write().clock();
      take(inv.write(), what -> replica.send(from, new ReplicaMessage.Ack(clock, what)));
    } else if (message instanceof ReplicaMessage.Ack ack) {
      Pending acknowledged = pending.get(ack.clock());
      if (acknowledged != null) {
        acknowledge(acknowledged, from, ack.what());
        check(acknowledged);
      }
    } else if (message instanceof ReplicaMessage.Val val) {
      onVal(val.key(), val.clock(), val.what());
    } else {
      throw new IllegalStateException("Not for " + replica.model() + ": " + message);
    }
  }

  private static void acknowledge(Pending write, int node, int what) {
    if ((what & ReplicaMessage.CONSISTENCY) != 0) {
      write.has |= Quorum.of(node);
    }
    if ((what & ReplicaMessage.PERSISTENCY) != 0) {
      write.persisted |= Quorum.of(node);
    }
  }

  private void check(Pending write) {
    int missing = replica.members() & ~write.has;
    boolean all =
        missing == 0
            || (!replica.keeps(ReplicaRule.VALID_WHEN_AT_ALL) && Integer.bitCount(missing) == 1);
    boolean allPersisted = (replica.members() & ~write.persisted) == 0;
    if (all && !write.saidValid) {
      write.saidValid = true;
      say(write, ReplicaMessage.CONSISTENCY);
    }
    if (allPersisted && !write.saidDurable) {
      write.saidDurable = true;
      if (replica.persistency().isBeforeRead()) {
        say(write, ReplicaMessage.PERSISTENCY);
      }
    }
    if ((completesAtOnce || all) && (allPersisted || !waitsForAllPersisted())) {
      complete(write);
    }
    if (write.saidValid && (write.saidDurable || !replica.persistency().isBeforeRead())) {
      pending.remove(write.write.clock());
    }
  }

  private boolean waitsForAllPersisted() {
    return replica.persistency().isBeforeCompletion() && replica.keeps(ReplicaRule.STRICT_AT_ALL);
  }

  private void say(Pending write, int what) {
    replica.broadcast(new ReplicaMessage.Val(write.write.key(), write.write.clock(), what));
    onVal(write.write.key(), write.write.clock(), what);
  }

  private void onVal(Key key, long clock, int what) {
    Entry entry = replica.entry(key);
    if ((what & ReplicaMessage.CONSISTENCY) != 0) {
      entry.valid(clock);
    }
    if ((what & ReplicaMessage.PERSISTENCY) != 0) {
      entry.durable(clock);
    }
    if (isSettled(entry)) {
      unsettled.remove(key);
    }
    replica.goOn();
  }

  private boolean isSettled(Entry entry) {
    return entry.isValid() && (entry.isDurable() || !replica.persistency().isBeforeRead());
  }

  @Override
  public void onView(int joined) {
    for (Pending each : List.copyOf(pending.values())) {
      for (int node = 0; node < replica.nodes(); node++) {
        if ((joined & Quorum.of(node)) != 0) {
          each.has &= ~Quorum.of(node);
          each.persisted &= ~Quorum.of(node);
          replica.send(node, new ReplicaMessage.Inv(each.write));
        }
      }
    }
    if (replica.keeps(ReplicaRule.FINISH_FOR_THE_GONE)) {
      List<Write> left = new ArrayList<>();
      for (Key key : unsettled) {
        Entry entry = replica.entry(key);
        if (!replica.view().hasWriter(entry.clock()) && !pending.containsKey(entry.clock())) {
          left.add(entry.write());
        }
      }
      left.forEach(write -> coordinate(new Pending(write, null)));
    }
    List.copyOf(pending.values()).forEach(this::check);
  }

  /** What is not known to be settled may have been settled while this node was not asked. */
  @Override
  public void onLearned(long[] visible) {
    List<Write> open = new ArrayList<>();
    for (Entry entry : replica.entries()) {
      if (!isSettled(entry) && !pending.containsKey(entry.clock())) {
        open.add(entry.write());
      }
    }
    open.forEach(write -> coordinate(new Pending(write, null)));
  }

  @Override
  public void underWay(Consumer<Write> each) {
    pending.values().forEach(on -> each.accept(on.write));
  }

  @Override
  public long[] visible() {
    return new long[replica.nodes()];
  }

  @Override
  public String toString() {
    return "on their way " + pending.values().stream().map(each -> each.write).toList();
  }

  @Override
  public boolean isQuiet() {
    return pending.isEmpty();
  }
}
