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
package org.orcagrid.simulator.ddp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.ddp.replica.Effects;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.consistency.Batch;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.Recovery;
import org.orcagrid.ddp.replica.log.SharedLog;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.state.ValueTime;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Packet;
import org.orcagrid.ddp.replica.wire.PacketCodec;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.simulator.Simulation;

/** A node's copy of a map, which it loses with its power; its {@link SimulatedJournal} stays. */
final class DdpNode {
  private static final long TICK_NANOS_MAX = 60 * DdpSchedule.MICRO;
  private static final long CYCLE_NANOS_MAX = 20 * DdpSchedule.MICRO;

  /** One in so many versions has a time that is over. */
  private static final int OVER_EVERY = 3;

  private final DdpRun run;
  private final Simulation simulation;
  private final int number;
  private final List<Key> keys;
  private final SimulatedJournal journal;

  /** The map's number in the journal. */
  private final int map;

  private SharedLog.Part part;
  private Replica replica;
  private Watched watched;

  /** What the replica has said last of values whose time will be over. */
  private long rest;

  /** What has ended since the replica was last called. */
  private final List<Operation> ended = new ArrayList<>();

  private int caughtUp;

  /** Whether it is to flush soon. */
  private boolean flushes;

  private ReplicaView installed;

  /** The versions that the replica has, by key. */
  private final Map<Integer, Long> there = new HashMap<>();

  DdpNode(DdpRun run, int number, SimulatedJournal journal) {
    this.run = run;
    this.journal = journal;
    this.map = journal.add(this);
    this.simulation = run.simulation();
    this.number = number;
    this.keys = IntStream.range(0, run.schedule().keys()).mapToObj(DdpRun::key).toList();
  }

  @Override
  public String toString() {
    return "\n      node " + number + ": " + replica;
  }

  int number() {
    return number;
  }

  boolean isUp() {
    return replica != null;
  }

  int life() {
    return journal.life();
  }

  Replica replica() {
    return replica;
  }

  /** Nothing is under way any more. */
  void requireAllTold() {
    watched.requireAllTold(replica);
  }

  int forced() {
    return journal.forced();
  }

  /** The node starts, with all of its maps. */
  void start() {
    journal.start();
  }

  /** The node loses power, and with it all of its maps. */
  void crash() {
    run.trace("node " + number + " loses power");
    journal.crash();
  }

  /** What was on its medium is gone as well. */
  void loseDisk() {
    run.trace("node " + number + " loses its disk");
    journal.lose();
    run.zones().onLost(number);
  }

  /** Hands over what peers have put into zones of this node. */
  void takeLanded(Consumer<ByteBuffer> into) {
    run.zones().ownerStarts(number, into);
    run.zones().peerStarts(number);
  }

  /** Begins a life with what the journal has of this map. */
  void begin(Recovery recovery, SharedLog.Part of) {
    part = of;
    replica = new Replica(run.settings(number), run.rules(), new LifeEffects(life()));
    part.isLive(replica.recover(recovery, null, ValueTime.NEVER));
    watched = new Watched(run.model());
    replica.watch();
    rest = 0;
    flushes = false;
    there.clear();
    tick(life());
    run.onStart(this);
  }

  void onPowerLost() {
    run.zones().onCrash(number);
    replica = null;
    ended.clear();
    run.onCrash(this);
  }

  void onView(ReplicaView view) {
    run.trace("node " + number + " is in " + view);
    installed = view;
    run.zones().ownerInstalls(number, view);
    call(() -> replica.onView(view));
  }

  void submit(ReplicaSession session, Operation operation) {
    call(() -> replica.submit(session, operation));
  }

  private void arrive(int from, ByteBuffer bytes) {
    if (replica != null) {
      Packet packet = PacketCodec.decode(bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN));
      call(() -> replica.onPacket(from, packet));
    }
  }

  /** What this node has put into another one's zone up to a position is durable there. */
  void onFlushed(int peer, long position) {
    run.trace("node " + number + " has flushed up to " + position + " at " + peer);
    call(() -> replica.onFlushed(peer, position));
  }

  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void tick(int ofLife) {
    if (replica != null && life() == ofLife) {
      journal.look();
      if (flushes || replica.nanosToTick(simulation.nowNanos()) == 0) {
        call(() -> replica.tick(simulation.nowNanos()));
      }
      if (run.expires() && (rest != Replica.NEVER || replica.hasNewVersions())) {
        call(() -> rest = replica.expire(1, DdpNode::leftMillis));
      }
      simulation.after(simulation.between(1, TICK_NANOS_MAX), () -> tick(ofLife));
    }
  }

  /** Of some versions the time is over when somebody happens to look. */
  private static long leftMillis(long clock, ByteBuffer value) {
    return Timestamp.version(clock) % OVER_EVERY == 0 ? 0 : Replica.NEVER;
  }

  /** Looks for removed keys that are not there any more. */
  private void lookForForgotten() {
    for (int key = 0; key < keys.size(); key++) {
      Write now = replica.peek(keys.get(key));
      Long before = there.remove(key);
      if (now != null) {
        there.put(key, now.clock());
      } else if (before != null && replica.isServing()) {
        run.trace("node " + number + " forgets " + keys.get(key));
        run.onForgotten(key, before);
      }
    }
  }

  /** A thread has read beside the worker. */
  void onReadBeside(Operation read) {
    watched.ended(read);
    requireDurable(read);
  }

  /** At once, or when the worker's cycle ends: in some seeds there are more inputs before that. */
  private void flush() {
    if (!run.gathers()) {
      replica.flush(simulation.nowNanos());
    } else if (!flushes) {
      flushes = true;
      int ofLife = life();
      simulation.after(
          simulation.between(0, CYCLE_NANOS_MAX),
          () -> {
            if (replica != null && life() == ofLife) {
              flushes = false;
              replica.flush(simulation.nowNanos());
            }
          });
    }
  }

  private void call(Runnable action) {
    action.run();
    flush();
    watched.afterStep(replica, keys);
    if (run.keepsAllRules()) {
      // Of a protocol with a fault the judge is to find what comes of it.
      replica.checkInvariants();
    }
    lookForForgotten();
    while (!ended.isEmpty()) {
      List<Operation> now = List.copyOf(ended);
      ended.clear();
      now.forEach(watched::ended);
      now.forEach(this::requireDurable);
      now.forEach(Operation::tell);
    }
    if (caughtUp != 0) {
      int view = caughtUp;
      caughtUp = 0;
      run.membership().onCaughtUp(this, view);
    }
  }

  /**
   * What was read or has completed survives any loss of power from now on, where the model promises
   * that of all nodes: each one that serves has it durable, in its log or in a zone.
   */
  private void requireDurable(Operation operation) {
    boolean reads = operation.kind() == Operation.Kind.READ;
    boolean promised =
        reads
            ? run.model().persistency().isBeforeVisible()
                && run.model().consistency().isInvalidating()
            : Promise.COMPLETED_SURVIVES.isMadeBy(run.model()) && operation.mayWrite();
    long clock = reads && operation.read() != null ? operation.read().clock() : operation.clock();
    if (!promised
        || clock == 0
        || !run.zones().isChecked()
        || operation.status() != Operation.Status.DONE) {
      return;
    }
    List<Key> keys =
        operation.batch() == null
            ? List.of(operation.key())
            : operation.batch().parts().stream()
                .filter(Batch.Part::writes)
                .map(Batch.Part::key)
                .toList();
    for (int node = 0; node < run.schedule().nodes(); node++) {
      DdpNode at = run.node(node);
      Invariant.check(
          (installed.serving() & Quorum.of(node)) == 0
              || keys.stream().allMatch(key -> at.hasDurable(key, clock)),
          "what has ended is durable at each node that serves");
    }
  }

  /** Whether this node has a version, or a later one, after any loss of power. */
  private boolean hasDurable(Key key, long clock) {
    boolean[] has = new boolean[1];
    Consumer<LogRecord> look =
        record ->
            has[0] |=
                writes(record).stream()
                    .anyMatch(write -> write.key().equals(key) && write.clock() >= clock);
    journal.forEachForced(map, look);
    run.zones()
        .findDurable(
            number, found -> look.accept(LogCodec.decode(found.order(ByteOrder.LITTLE_ENDIAN))));
    return has[0] || run.forgotten(keys.indexOf(key)) >= clock;
  }

  private static List<Write> writes(LogRecord record) {
    if (record instanceof LogRecord.Version version) {
      return List.of(version.write());
    } else if (record instanceof LogRecord.Batch batch) {
      return batch.writes();
    }
    return record instanceof LogRecord.Learned page ? page.writes() : List.of();
  }

  private final class LifeEffects implements Effects {
    private final int ofLife;
    private final Budget budget = run.budget();

    LifeEffects(int ofLife) {
      this.ofLife = ofLife;
    }

    @Override
    public void send(int peer, Packet packet) {
      if (run.isTraced()) {
        packet.messages().forEach(m -> run.trace(number + " > " + peer + " " + m));
      }
      if (run.batches()) {
        packet.messages().forEach(this::noteForgotten);
      }
      // As bytes, as in production: nothing of one node's memory is in another's.
      ByteBuffer bytes = buffer(PacketCodec.bytes(packet));
      PacketCodec.encode(packet, bytes);
      bytes.flip();
      run.network().send(number, peer, () -> run.node(peer).arrive(number, bytes));
    }

    /**
     * One input may have it forget a removal, answer a batch and begin the one that replaces it.
     */
    private void noteForgotten(ReplicaMessage message) {
      if (message instanceof ReplicaMessage.Forget agreed) {
        agreed.removals().forEach(each -> run.onForgotten(keys.indexOf(each.key()), each.clock()));
      }
    }

    @Override
    public long persist(LogRecord record, boolean eager) {
      return journal.append(map, part, record, eager);
    }

    @Override
    public long land(int peer, LogRecord record) {
      if (!run.zones().isUsed()) {
        return 0;
      }
      ByteBuffer bytes = buffer(LogCodec.bytes(record));
      LogCodec.encode(record, bytes);
      return run.zones().path(number, peer).put(bytes.flip());
    }

    @Override
    public boolean keepsPut(int peer, long position) {
      return run.zones().path(peer, number).keeps(position);
    }

    @Override
    public boolean taken(int peer, long position) {
      return run.zones().path(peer, number).taken(position);
    }

    @Override
    public void freed(int peer, long position) {
      run.zones().path(number, peer).freed(position);
    }

    @Override
    public void trim(long position, long live) {
      run.trace("node " + number + " trims before " + position);
      part.trim(position, live);
    }

    @Override
    public void completed(Operation operation) {
      ended.add(operation);
    }

    @Override
    public void shown(Key key, Write before, Write now) {
      watched.shown(key, before, now);
      run.onShown(number, ofLife, keys.indexOf(key), now);
    }

    @Override
    public Budget budget() {
      return budget;
    }

    @Override
    public void caughtUp(int view) {
      caughtUp = view;
    }
  }

  /** The journal has forced all up to a position. */
  void onDurable(int ofLife, int position) {
    if (replica != null && life() == ofLife) {
      call(() -> replica.onDurable(position));
    }
  }
}
