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
package org.orcagrid.ddp.map;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.replica.Effects;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.Recovery;
import org.orcagrid.ddp.replica.log.RecoveryReport;
import org.orcagrid.ddp.replica.log.SharedLog;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Packet;
import org.orcagrid.ddp.replica.wire.PacketCodec;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.transfer.Progress;

/**
 * A map at a node in one of its lives: the replica and its sessions. All but {@link #submit},
 * {@link #close(HostedSession)} and the questions belongs to the worker's thread.
 */
final class HostedMap extends Timers.Timer {
  private static final System.Logger LOG = System.getLogger(HostedMap.class.getName());

  private static final int SUBMITTED_MAX = 1 << 16;

  /** It looks at the time so long after the last time at the earliest, whatever arrives. */
  private static final long TICK_NANOS = 200_000;

  /** So many entries are looked at each time whether the time of their values is over. */
  private static final int SWEPT_ENTRIES = 500;

  private static final long SWEEP_NANOS = 20_000_000;

  /** So long after it has looked at all: a worker with many small maps has other things to do. */
  private static final long REST_NANOS = 200_000_000;

  /** The time of day may be set: it looks so often while a value is to go at all. */
  private static final long REST_MILLIS_MAX = 10_000;

  private final MapDefinition definition;
  private final MapsEngine engine;

  /** Null when it is over. */
  private Replica replica;

  private final Consumer<Integer> caughtUp;
  private final WallClock wall;
  private final Watchers watching;

  /** Null if there is none. */
  private final WorkerZones zones;

  /** Where this map is durable, from when the worker knows of it; null for one in memory only. */
  private WorkerJournal journal;

  private SharedLog.Part part;

  /** Bytes of the versions that the journal had. */
  private final long recovered;

  /** The position of the last record that this map has appended. */
  private long appended;

  /** Whether the journal is to tell when that is durable. */
  private boolean waits;

  /** Those of {@link #watching} that this map tells. */
  private List<MapWatcher> watchers = List.of();

  private final SessionsUnderWay sessions = new SessionsUnderWay();

  private final Deque<Operation> ended = new ArrayDeque<>();
  private final AtomicInteger submitted = new AtomicInteger();

  private long tickedNanos;

  /** Whether it is looking at the time, and says when it does so again when it is done. */
  private boolean ticks;

  /** Whether it is to {@link #flush} in this cycle. */
  private boolean flushes;

  /** When entries are looked at next, while {@link #sweeps}. */
  private long sweepNanos;

  private boolean sweeps;

  /** The last record in each peer's zone, and the peers whose flushes this map is told of. */
  private final long[] landed;

  private int awaited;

  private volatile boolean over;

  private final CallerReads callerReads;

  private volatile Progress progress = Progress.NONE;
  private String overReason;

  /** What watchers are still to be told, the earliest first. */
  private final Deque<Untold> untold = new ArrayDeque<>();

  /** A version that has become visible, and who watched then. */
  private record Untold(Key key, Write before, Write now, List<MapWatcher> watchers) {}

  private final MapsEngine.Told firstUntold =
      new MapsEngine.Told() {
        @Override
        public void tell() {
          Untold first = untold.poll();
          if (first != null) {
            Shown change = Shown.at(wall.nowMillis(), first.key(), first.before(), first.now());
            first.watchers().forEach(each -> each.onShown(change));
          }
        }

        @Override
        public void lose(SessionEndedException reason) {
          // The next life of the node tells it, if it is visible there, too.
        }
      };

  /**
   * The map's replica has what a journal says of it; before the worker knows of it.
   *
   * @param mark the journal's last one, null for a map that has come later or is in memory only
   */
  HostedMap(
      MapDefinition definition,
      ReplicaSettings settings,
      MapsEngine engine,
      Recovery recovery,
      LogRecord.Mark mark,
      Consumer<Integer> caughtUp,
      WallClock wall,
      Watchers watching) {
    this.definition = definition;
    this.engine = engine;
    this.caughtUp = caughtUp;
    this.wall = wall;
    this.watching = watching;
    this.zones = engine.zones();
    this.landed = new long[settings.nodes()];
    this.replica = new Replica(settings, ReplicaRule.all(), new MapEffects(), engine.direct());
    this.recovered = replica.recover(recovery, mark, wall.values());
    this.callerReads = new CallerReads(engine, replica.localReads());
  }

  MapDefinition definition() {
    return definition;
  }

  // --- any thread --------------------------------------------------------------------------------

  boolean isEnded() {
    return over;
  }

  /** How far this map is with catching up. */
  Progress progress() {
    return progress;
  }

  void submit(HostedSession session, Operation operation) {
    if (submitted.incrementAndGet() > SUBMITTED_MAX) {
      submitted.decrementAndGet();
      operation.fail(
          new RejectedExecutionException(
              SUBMITTED_MAX + " operations of " + definition + " are under way at this node"));
      return;
    }
    session.add(operation);
    engine.execute(session.arrival());
  }

  /** Answers a read in the calling thread if this node may; its session has nothing under way. */
  boolean answerNow(Operation read) {
    return callerReads.answer(read);
  }

  void close(HostedSession session) {
    engine.execute(
        () -> {
          SessionEndedException reason = new SessionEndedException("The session was closed");
          if (over || session.isClosed()) {
            return;
          }
          if (session.replicaSession() == null) {
            fail(session, reason);
          } else {
            close(session, reason);
          }
        });
  }

  /** Asks the replica something, in the worker's thread; told only while this node serves. */
  <T> CompletableFuture<T> ask(Function<Replica, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    engine.execute(
        () -> {
          if (over) {
            answer.completeExceptionally(gone());
            return;
          }
          try {
            engine.answer(answer, question.apply(replica));
          } catch (RuntimeException e) {
            answer.completeExceptionally(e);
          } catch (Error e) {
            answer.completeExceptionally(e);
            throw e;
          }
        });
    return answer;
  }

  private SessionEndedException gone() {
    return new SessionEndedException(
        "This node does not have " + definition + " any more: " + overReason);
  }

  // --- the worker --------------------------------------------------------------------------------

  /** The worker has the map from now on, which is durable there, if it is to be. */
  void on(WorkerJournal where) {
    if (definition.isOnMedium()) {
      journal = where;
      part = where.part(definition.id());
      part.isLive(recovered);
    }
    tickedNanos = engine.nowNanos();
    engine.timers().by(this, tickedNanos);
  }

  /** All records up to a position are durable; whether there are others of this map. */
  boolean onDurable(long position) {
    if (over) {
      // It was given up, and the journal has not forgotten it yet.
      return false;
    }
    replica.onDurable(position);
    settle();
    waits = appended > position;
    return waits;
  }

  /** The journal is too long, and this map needs its oldest part. */
  void makeRoom() {
    replica.makeRoom();
    settle();
  }

  /** An operation that was submitted has been taken back; any thread. */
  void withdrawn() {
    submitted.decrementAndGet();
  }

  /** An operation on a key is about to arrive. */
  void expect(Key key) {
    if (!over) {
      replica.expect(key);
    }
  }

  /** An operation of a session has arrived. */
  void onArrival(HostedSession session) {
    if (over || session.isClosed()) {
      fail(session, over ? gone() : new SessionEndedException("The session was closed"));
      return;
    }
    replica.warm();
    session.opened(replica);
    session.onArrival();
    if (session.isIdle()) {
      begin(session);
      settle();
    }
  }

  private void fail(HostedSession session, SessionEndedException reason) {
    submitted.addAndGet(-session.fail(reason));
  }

  /** Begins the next operation of a session; if the model refuses it, the one behind it. */
  private void begin(HostedSession session) {
    ReplicaSession by = session.replicaSession();
    for (Operation next = session.next(); next != null; next = session.next()) {
      try {
        replica.requireAllowed(by, next);
      } catch (UnsupportedOperationException | IllegalStateException | IllegalArgumentException e) {
        submitted.decrementAndGet();
        session.ended(next);
        next.fail(e);
        continue;
      }
      // What fails from here on is the node's fault, and what becomes of the operation unknown.
      sessions.add(session);
      replica.begin(by, next);
      return;
    }
    sessions.remove(session);
  }

  private void close(HostedSession session, SessionEndedException reason) {
    sessions.remove(session);
    fail(session, reason);
    replica.close(session.replicaSession());
    ended.removeIf(operation -> operation.session() == session.replicaSession());
    settle();
  }

  /** Tells those who watch now, and nobody else, of what becomes visible here from now on. */
  void watch() {
    if (over) {
      return;
    }
    watchers = watching.of(definition.id());
    if (watchers.isEmpty()) {
      replica.stopWatching();
    } else {
      replica.watch();
      settle();
    }
  }

  /** Goes on to tell those who have watched an earlier life; before the worker knows of it. */
  void watchOn() {
    Map<Key, Write> before = watching.takeTold(definition.id());
    if (before != null) {
      watchers = watching.of(definition.id());
      replica.watch(before);
    }
  }

  /** What is here of it, where records are durable up to a position. */
  MapFigures figures(long durable) {
    return new MapFigures(
        definition, replica.figures(), Math.max(0, appended - durable), submitted.get(), progress);
  }

  void onView(AgreedView view) {
    replica.onView(view.replicas(definition));
    settle();
  }

  void onPacket(int from, ByteBuffer bytes) {
    replica.onPacket(from, PacketCodec.decode(bytes));
    settle();
  }

  /**
   * What this map has put into a peer's zone up to a position is durable.
   *
   * @return whether it has put something behind that, and is to be told again
   */
  boolean onFlushed(int peer, long position) {
    boolean again = landed[peer] > position;
    awaited &= again ? ~0 : ~Quorum.of(peer);
    if (over) {
      return false;
    }
    replica.onFlushed(peer, position);
    settle();
    return again;
  }

  /** Looks at the time, and says when it does so again: an idle map never does. */
  @Override
  void onTime(long nowNanos) {
    tickedNanos = nowNanos;
    ticks = true;
    replica.tick(nowNanos);
    settle();
    sweep(nowNanos);
    // What is sent now is to be sent again some time.
    replica.flush(nowNanos);
    ticks = false;
    long tick = replica.nanosToTick(nowNanos);
    if (tick != Replica.NEVER) {
      engine.timers().by(this, nowNanos + Math.max(tick, TICK_NANOS));
    }
    if (sweeps) {
      engine.timers().by(this, sweepNanos);
    }
  }

  private void sweep(long nowNanos) {
    if (sweeps && nowNanos - sweepNanos >= 0) {
      long rest = replica.expire(SWEPT_ENTRIES, wall.values());
      sweeps = rest != Replica.NEVER;
      long restNanos = TimeUnit.MILLISECONDS.toNanos(Math.min(rest, REST_MILLIS_MAX));
      sweepNanos = nowNanos + (rest == 0 ? SWEEP_NANOS : Math.max(REST_NANOS, restNanos));
    }
    if (replica.hasNewVersions() && (!sweeps || sweepNanos - nowNanos > REST_NANOS)) {
      sweeps = true;
      sweepNanos = nowNanos + REST_NANOS;
    }
  }

  /**
   * After each input: tells of what has ended, begins what waited for it, and has the replica look
   * at the time and say when it wants to again.
   */
  private void settle() {
    if (!flushes) {
      flushes = true;
      engine.flushLater(this);
    }
    if (!ticks) {
      engine.timers().by(this, tickedNanos + TICK_NANOS);
    }
    for (Operation operation = ended.poll(); operation != null; operation = ended.poll()) {
      HostedSession session = HostedSession.of(operation);
      if (!session.place().isTaken()) {
        // It was closed meanwhile, and whoever had asked was told so.
        continue;
      }
      submitted.decrementAndGet();
      session.ended(operation);
      engine.answer(operation);
      begin(session);
    }
  }

  /** Sends what has gathered, once in a cycle of the worker. */
  void flush(long nowNanos) {
    flushes = false;
    if (!over) {
      replica.flush(nowNanos);
    }
  }

  /**
   * The map is gone from here, for this reason.
   *
   * @param goesOn whether another life of the node has it again
   */
  void end(String reason, boolean goesOn) {
    overReason = reason;
    over = true;
    callerReads.end();
    engine.timers().cancel(this);
    if (goesOn && !watchers.isEmpty()) {
      Map<Key, Write> told = replica.unwatch();
      if (told != null) {
        untell(told);
        watching.leave(definition.id(), told);
      }
    }
    SessionEndedException why = new SessionEndedException(definition + ": " + reason);
    sessions.removeEach(session -> fail(session, why));
    ended.clear();
    // Sessions of threads that have other things to do hold this map, and it its memory.
    replica = null;
  }

  /** What nobody was told any more was found out by a life that is over. */
  private void untell(Map<Key, Write> told) {
    for (Untold last = untold.pollLast(); last != null; last = untold.pollLast()) {
      told.put(last.key(), last.before());
    }
  }

  // --- what the replica wants --------------------------------------------------------------------

  private final class MapEffects implements Effects {
    @Override
    public void send(int peer, Packet sent) {
      ByteBuffer packet = engine.packetBuffer(PacketCodec.bytes(sent));
      PacketCodec.encode(sent, packet);
      engine.send(peer, definition.id(), packet.flip());
    }

    @Override
    public long persist(LogRecord persisted, boolean eager) {
      appended = journal.append(part, definition.id(), persisted, eager);
      if (!waits) {
        waits = true;
        journal.tellDurable(HostedMap.this);
      }
      return appended;
    }

    @Override
    public long land(int peer, LogRecord put) {
      if (zones == null) {
        return 0;
      }
      long position = zones.put(peer, definition.id(), engine.encoded(put));
      if (position != 0) {
        landed[peer] = position;
        if ((awaited & Quorum.of(peer)) == 0) {
          awaited |= Quorum.of(peer);
          zones.tellFlushed(peer, HostedMap.this);
        }
      }
      return position;
    }

    @Override
    public boolean keepsPut(int peer, long position) {
      return zones != null && zones.keeps(peer, position);
    }

    @Override
    public boolean taken(int peer, long position) {
      return zones == null || zones.taken(peer, definition.id(), position);
    }

    @Override
    public void freed(int peer, long position) {
      if (zones != null) {
        zones.freed(peer, definition.id(), position);
      }
    }

    @Override
    public void trim(long position, long live) {
      part.trim(position, live);
    }

    @Override
    public void completed(Operation operation) {
      ended.add(operation);
    }

    @Override
    public void shown(Key key, Write before, Write now) {
      untold.add(new Untold(key, before, now, watchers));
      engine.answer(firstUntold);
    }

    @Override
    public void recovered(RecoveryReport report) {
      if (report.isOfAnything()) {
        LOG.log(
            // A node that has never had the map has lost nothing of it.
            report.isOfLoss() && report.found() > 0 ? Level.INFO : Level.DEBUG,
            "{0} comes back: {1}",
            definition,
            RecoveryText.of(report, definition.model()));
      }
    }

    @Override
    public Budget budget() {
      return engine.budget();
    }

    @Override
    public void progressed(Progress now) {
      progress = now;
    }

    @Override
    public void caughtUp(int view) {
      caughtUp.accept(view);
    }
  }
}
