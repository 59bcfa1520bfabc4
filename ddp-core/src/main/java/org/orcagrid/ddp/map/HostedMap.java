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

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.replica.Effects;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.Recovery;
import org.orcagrid.ddp.replica.log.RecoveryReport;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Packet;
import org.orcagrid.ddp.replica.wire.PacketCodec;

/**
 * A map at a node in one of its lives: the replica, its medium and its sessions. All but {@link
 * #submit}, {@link #close(MapSession)} and the questions belongs to the worker's thread.
 */
final class HostedMap {
  private static final System.Logger LOG = System.getLogger(HostedMap.class.getName());

  private static final int SUBMITTED_MAX = 1 << 16;

  /** What nobody waits for is forced so much later at most. */
  private static final long LAZY_NANOS = 20_000_000;

  private static final long TICK_NANOS = 200_000;

  /** So many entries are looked at each time whether the time of their values is over. */
  private static final int SWEPT_ENTRIES = 500;

  private static final long SWEEP_NANOS = 20_000_000;

  /** The log says so often when it was here; {@link RecoveryReport} names this time. */
  private static final long MARK_NANOS = 100_000_000;

  private static final long REFUSED_NANOS = 100_000;

  /** A medium that nothing can be appended to, and that forces nothing, for so long is full. */
  private static final long FULL_NANOS = 5_000_000_000L;

  private final MapDefinition definition;
  private final MapsEngine engine;
  private final DurableMedium medium;
  private final Replica replica;
  private final Consumer<Integer> caughtUp;
  private final WallClock wall;
  private final Watchers watching;

  /** Null if there is none. */
  private final Landing landing;

  /** The position of what was found in zones, and how much that was. */
  private long foundAt;

  private long foundCount;

  /** Those of {@link #watching} that this map tells. */
  private List<MapWatcher> watchers = List.of();

  /** Those with an operation under way: others are nobody's business but their owners'. */
  private final Map<ReplicaSession, MapSession> sessions = new HashMap<>();

  private final Deque<Operation> ended = new ArrayDeque<>();
  private final AtomicInteger submitted = new AtomicInteger();

  private long durable;
  private boolean forceNow;
  private long forceAtNanos;
  private long tickedNanos;
  private long sweptNanos;
  private long markedNanos;
  private boolean outOfMemory;

  /** Of the log so far, and whether one was made in this life. */
  private long marks;

  private boolean marked;
  private volatile boolean over;
  private String overReason;

  /** What watchers are still to be told, the earliest first. */
  private final Deque<Shown> untold = new ArrayDeque<>();

  /** A version that has become visible, and who watched then. */
  private record Shown(Key key, Write before, Write now, List<MapWatcher> watchers) {}

  private final MapsEngine.Told firstUntold =
      new MapsEngine.Told() {
        @Override
        public void tell() {
          Shown first = untold.poll();
          if (first != null) {
            first
                .watchers()
                .forEach(each -> each.onShown(first.key(), first.before(), first.now()));
          }
        }

        @Override
        public void lose(SessionEndedException reason) {
          // The next life of the node tells it, if it is visible there, too.
        }
      };

  /**
   * The map's replica has what is on the medium; before the worker knows of it.
   *
   * @param isFirst whether the worker has no view yet in this life of the node: what is in its
   *     zones has landed before
   */
  HostedMap(
      MapDefinition definition,
      ReplicaSettings settings,
      MapsEngine engine,
      DurableMedium medium,
      boolean isFirst,
      Consumer<Integer> caughtUp,
      WallClock wall,
      Watchers watching)
      throws IOException {
    this.definition = definition;
    this.engine = engine;
    this.medium = medium;
    this.caughtUp = caughtUp;
    this.wall = wall;
    this.watching = watching;
    this.landing = engine.landing();
    this.replica = new Replica(settings, ReplicaRule.all(), new MapEffects());
    medium.onProgress(engine::wakeUp);
    Recovery recovery = replica.recovery(wall.values());
    medium.replay(
        (position, bytes) ->
            recovery.add(LogCodec.decode(bytes.slice().order(ByteOrder.LITTLE_ENDIAN))));
    if (landing != null && isFirst) {
      landing.find(definition.id(), (map, found) -> takeFound(found, recovery));
      medium.force();
      if (foundCount > 0) {
        LOG.log(
            Level.INFO,
            "{0}: {1} records had landed in this node''s memory, and are its log''s now",
            definition,
            foundCount);
      }
    }
    marks = recovery.end();
    durable = medium.durable();
  }

  /** What has landed is the log's from now on. */
  private void takeFound(ByteBuffer found, Recovery recovery) {
    foundCount++;
    recovery.add(LogCodec.decode(found.duplicate().order(ByteOrder.LITTLE_ENDIAN)));
    foundAt = medium.append(found);
    for (long tried = 0; foundAt == DurableMedium.NOTHING; tried += REFUSED_NANOS) {
      requireWorking();
      if (tried > FULL_NANOS) {
        throw new IllegalStateException(
            "The medium of " + definition + " has no room for what is in the landing zones");
      }
      medium.force();
      LockSupport.parkNanos(this, REFUSED_NANOS);
      foundAt = medium.append(found);
    }
  }

  /** Whether the log has what was found in zones. */
  boolean hasWhatWasFound() {
    return medium.durable() >= foundAt;
  }

  MapDefinition definition() {
    return definition;
  }

  // --- any thread --------------------------------------------------------------------------------

  boolean isEnded() {
    return over;
  }

  void submit(MapSession session, Operation operation) {
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

  void close(MapSession session) {
    engine.execute(
        () -> {
          if (!over && session.replicaSession() != null && !session.isClosed()) {
            close(session, new SessionEndedException("The session was closed"));
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

  /** An operation of a session has arrived. */
  void onArrival(MapSession session) {
    if (over || session.isClosed()) {
      fail(session, over ? gone() : new SessionEndedException("The session was closed"));
      return;
    }
    session.opened(replica);
    session.onArrival();
    if (session.isIdle()) {
      begin(session);
      settle();
    }
  }

  private void fail(MapSession session, SessionEndedException reason) {
    submitted.addAndGet(-session.fail(reason));
  }

  /** Begins the next operation of a session; if the model refuses it, the one behind it. */
  private void begin(MapSession session) {
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
      sessions.put(by, session);
      replica.submit(by, next, engine.nowNanos());
      return;
    }
    sessions.remove(by);
  }

  private void close(MapSession session, SessionEndedException reason) {
    sessions.remove(session.replicaSession());
    fail(session, reason);
    replica.close(session.replicaSession(), engine.nowNanos());
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
      replica.unwatch();
    } else {
      replica.watch(engine.nowNanos());
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

  void onView(MapView view) {
    replica.onView(view.replicas(), engine.nowNanos());
    settle();
  }

  void onPacket(int from, ByteBuffer bytes) {
    replica.onPacket(from, PacketCodec.decode(bytes), engine.nowNanos());
    settle();
  }

  /** What this map has put into a peer's zone up to a position is durable. */
  void onFlushed(int peer, long position) {
    replica.onFlushed(peer, position, engine.nowNanos());
    settle();
  }

  /**
   * Looks at the time and at the medium.
   *
   * @return whether something was done
   */
  boolean look() {
    boolean progress = false;
    requireWorking();
    long reached = medium.durable();
    if (reached > durable) {
      durable = reached;
      replica.onDurable(reached, engine.nowNanos());
      settle();
      progress = true;
    }
    if (engine.nowNanos() - tickedNanos >= TICK_NANOS) {
      tickedNanos = engine.nowNanos();
      replica.tick(tickedNanos);
      settle();
    }
    if (engine.nowNanos() - sweptNanos >= SWEEP_NANOS) {
      sweptNanos = engine.nowNanos();
      replica.expire(SWEPT_ENTRIES, wall.values());
      warnOfMemory();
    }
    if (forceNow || (forceAtNanos != 0 && engine.nowNanos() - forceAtNanos >= 0)) {
      forceNow = false;
      forceAtNanos = 0;
      medium.force();
    }
    return progress;
  }

  private void warnOfMemory() {
    boolean ended = replica.isOutOfMemory();
    if (ended && !outOfMemory) {
      LOG.log(
          Level.WARNING,
          "{0}: direct memory has ended. This node refuses new values, and keeps those of other"
              + " nodes on the heap. Remove keys, or set -XX:MaxDirectMemorySize higher",
          definition);
    }
    outOfMemory = ended;
  }

  /** What it has gathered is to be durable soon, so that its memory is given back. */
  void force() {
    medium.force();
  }

  private void requireWorking() {
    Throwable failure = medium.failure();
    if (failure != null) {
      throw new IllegalStateException(
          "The medium of " + definition + " has failed: " + failure.getMessage(), failure);
    }
  }

  /** Whether it wants to look at the time soon. */
  boolean isBusy() {
    return forceAtNanos != 0 || !replica.isQuiet();
  }

  /** Tells of what has ended, and begins what waited for it. */
  private void settle() {
    for (Operation operation = ended.poll(); operation != null; operation = ended.poll()) {
      MapSession session = sessions.get(operation.session());
      if (session == null) {
        // It was closed meanwhile, and whoever had asked was told so.
        continue;
      }
      submitted.decrementAndGet();
      session.ended(operation);
      engine.answer(operation);
      begin(session);
    }
  }

  /**
   * The map is gone from here, for this reason. Its medium is closed and whole.
   *
   * @param inOrder whether all that was begun here was done
   */
  void end(String reason, boolean inOrder) throws IOException {
    overReason = reason;
    over = true;
    if (!watchers.isEmpty()) {
      Map<Key, Write> told = replica.unwatch();
      if (told != null) {
        untell(told);
        watching.leave(definition.id(), told);
      }
    }
    SessionEndedException why = new SessionEndedException(definition + ": " + reason);
    for (MapSession session : sessions.values()) {
      fail(session, why);
    }
    sessions.clear();
    try {
      if (inOrder && medium.failure() == null) {
        mark(true);
      }
    } finally {
      medium.close();
    }
  }

  /** What nobody was told any more was found out by a life that is over. */
  private void untell(Map<Key, Write> told) {
    for (Shown last = untold.pollLast(); last != null; last = untold.pollLast()) {
      told.put(last.key(), last.before());
    }
  }

  /** Says in the log when it was here; one that has no room at present does so later. */
  private void mark(boolean closed) {
    long millis = wall.nowMillis();
    if (millis == 0) {
      marked = true;
      markedNanos = engine.nowNanos();
    } else if (medium.append(encoded(new LogRecord.Mark(marks + 1, millis, closed)))
        != DurableMedium.NOTHING) {
      marks++;
      marked = true;
      markedNanos = engine.nowNanos();
    }
  }

  private ByteBuffer encoded(LogRecord of) {
    ByteBuffer record = engine.recordBuffer(LogCodec.bytes(of));
    LogCodec.encode(of, record);
    return record.flip();
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
      if (!marked || engine.nowNanos() - markedNanos >= MARK_NANOS) {
        mark(false);
      }
      ByteBuffer record = encoded(persisted);
      long position = medium.append(record);
      if (position == DurableMedium.NOTHING) {
        position = appendWithPatience(record);
      }
      if (eager) {
        forceNow = true;
      } else if (forceAtNanos == 0) {
        forceAtNanos = engine.nowNanos() + LAZY_NANOS;
      }
      return position;
    }

    /** The worker waits for the device: that is what holds back those who write faster. */
    private long appendWithPatience(ByteBuffer record) {
      long begin = engine.nowNanos();
      long reached = medium.durable();
      long position = DurableMedium.NOTHING;
      while (position == DurableMedium.NOTHING) {
        requireWorking();
        // Others may have the memory that it needs, and nobody else has them force.
        engine.forceAll();
        engine.pause(REFUSED_NANOS);
        if (medium.durable() > reached) {
          reached = medium.durable();
          begin = engine.nowNanos();
        } else if (engine.nowNanos() - begin > FULL_NANOS) {
          throw new IllegalStateException(
              "The medium of "
                  + definition
                  + " takes nothing any more at "
                  + medium.bytes()
                  + " bytes; give it more room, or the map fewer entries, or the JVM more memory"
                  + " outside the heap (-XX:MaxDirectMemorySize)");
        }
        position = medium.append(record);
      }
      engine.progressed();
      return position;
    }

    @Override
    public long land(int peer, LogRecord put) {
      return landing == null ? 0 : landing.put(peer, definition.id(), encoded(put));
    }

    @Override
    public boolean keepsLanded(int peer, long position) {
      return landing != null && landing.keeps(peer, position);
    }

    @Override
    public boolean taken(int peer, long position) {
      return landing == null || landing.taken(peer, definition.id(), position);
    }

    @Override
    public void freed(int peer, long position) {
      if (landing != null) {
        landing.freed(peer, definition.id(), position);
      }
    }

    @Override
    public void trim(long position) {
      medium.trim(position);
    }

    @Override
    public void completed(Operation operation) {
      ended.add(operation);
    }

    @Override
    public void shown(Key key, Write before, Write now) {
      untold.add(new Shown(key, before, now, watchers));
      engine.answer(firstUntold);
    }

    @Override
    public void recovered(RecoveryReport report) {
      if (report.isOfAnything()) {
        LOG.log(
            report.isOfLoss() ? Level.INFO : Level.DEBUG,
            "{0} comes back: {1}",
            definition,
            RecoveryText.of(report, definition.model()));
      }
    }

    @Override
    public void caughtUp(int view) {
      caughtUp.accept(view);
    }
  }
}
