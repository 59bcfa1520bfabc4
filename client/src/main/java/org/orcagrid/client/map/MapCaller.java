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
package org.orcagrid.client.map;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.orcagrid.client.Codec;
import org.orcagrid.client.CodecBuffer;
import org.orcagrid.client.Deadlines;
import org.orcagrid.client.NotDoneException;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.client.OverloadException;
import org.orcagrid.client.Waiting;
import org.orcagrid.ddp.map.Expected;
import org.orcagrid.ddp.map.Lifetime;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.map.SessionEndedException;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.OtherNodeException;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/**
 * How operations of a map get to its node and back: sessions for each thread, codecs, and what goes
 * wrong as the exceptions that users know.
 *
 * <p>A thread has several sessions, a key always the same one of them: so that its operations on a
 * key are in order and it reads what it has written, while those on other keys do not wait. With
 * release consistency it has one.
 */
final class MapCaller<K, V> {
  /** A power of two. */
  private static final int SESSIONS = 256;

  /** So many nodes are tried one after the other. */
  private static final int TRIES_MAX = 4;

  private static final long PAUSE_NANOS = 5_000_000;

  private final int sessions;

  /** Whether any node shows whatever a thread has seen at another one. */
  private final boolean goesOnElsewhere;

  private final Maps node;
  private final MapDefinition map;
  private final OwnWrites own;
  private final Codec<K> keys;
  private final Codec<V> values;
  private final Codec<V> stored;
  private final LongSupplier nowMillis;
  private final MapStages stages;

  /** Of this map: a static one would be shared by all. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<WeakReference<Local>> locals = new ThreadLocal<>();

  /**
   * What {@link #locals} refers to. A thread that goes on when the grid is closed would hold it
   * otherwise, and with the sessions all memory of the grid.
   */
  private final Map<Thread, Local> held = Collections.synchronizedMap(new WeakHashMap<>());

  /** What a thread has. */
  private static final class Local {
    private final CodecBuffer buffer = new CodecBuffer();
    private final MapSession[] open;

    /**
     * That of reads of all keys and of batches; all others are beside it. Null while none is open.
     */
    private MapSession first;

    Local(int sessions) {
      this.open = new MapSession[sessions];
    }
  }

  /**
   * Which map it is, and where.
   *
   * @param node the node, here or elsewhere
   * @param map one of its maps
   * @param own what this process writes there; null if only this node can have written it
   */
  record Place(Maps node, MapDefinition map, OwnWrites own) {}

  /**
   * What tells the time.
   *
   * @param nowMillis the wall clock of lifetimes
   * @param deadlines of all asynchronous operations of the grid
   */
  record Clocks(LongSupplier nowMillis, Deadlines deadlines) {}

  MapCaller(Place place, Codec<K> keys, Codec<V> values, Clocks clocks) {
    this.node = place.node();
    this.map = place.map();
    this.own = place.own();
    this.keys = keys;
    this.values = values;
    this.stored = Lifetimes.codec(values);
    this.nowMillis = clocks.nowMillis();
    this.stages = new MapStages(clocks.deadlines(), MapCaller::failure);
    // A release comes after all that its session has done: there a thread is one session.
    this.goesOnElsewhere =
        node.isElsewhere(map)
            && (map.model().consistency() == Consistency.LINEARIZABLE
                || map.model().consistency() == Consistency.TRANSACTIONAL);
    this.sessions = map.model().consistency() == Consistency.RELEASE ? 1 : SESSIONS;
  }

  MapDefinition map() {
    return map;
  }

  Maps node() {
    return node;
  }

  /** What this process writes, at any node; null if all of it is written at this one. */
  OwnWrites own() {
    return own;
  }

  // --- bytes -------------------------------------------------------------------------------------

  Key key(K key) {
    if (key == null) {
      throw new NullPointerException("A key cannot be null");
    }
    return Key.ofOwn(local().buffer.encode(keys, key));
  }

  K key(Key key) {
    return local().buffer.decode(keys, key.bytes());
  }

  private Local local() {
    WeakReference<Local> reference = locals.get();
    Local there = reference == null ? null : reference.get();
    if (there == null) {
      there = new Local(sessions);
      held.put(Thread.currentThread(), there);
      locals.set(new WeakReference<>(there));
    }
    return there;
  }

  byte[] value(V value) {
    if (value == null) {
      throw new NullPointerException("A value cannot be null here; set or delete takes one away");
    }
    return local().buffer.encode(stored, value);
  }

  /** A value as it is stored, null for none. */
  byte[] valueOrNone(V value) {
    return local().buffer.encode(stored, value);
  }

  byte[] value(V value, Duration lifetime) {
    if (value == null) {
      throw new NullPointerException("A value cannot be null here; set or delete takes one away");
    }
    long moment = Lifetimes.moment(nowMillis(), lifetime);
    return local().buffer.encode(Lifetimes.until(values, moment), value);
  }

  /** The value of a version, null if it has none or the time of that is over. */
  V value(Write version) {
    return Lifetime.isThere(version, nowMillis) ? anyValue(version) : null;
  }

  /**
   * The number that a version has.
   *
   * @param absent of a version that has none, or whose time is over
   * @throws NotANumberException if it has a value of another kind
   */
  long number(Write version, long absent) {
    return Lifetime.isThere(version, nowMillis) ? Lifetimes.number(version.value()) : absent;
  }

  /** The value of a version, whether its time is over or not. */
  V anyValue(Write version) {
    return version == null ? null : local().buffer.decode(stored, version.value());
  }

  /** Writes or removes a key if it has this value now; null for none. */
  Operation compareAndSet(Key key, byte[] expected, byte[] value) {
    return Operation.compareAndSet(key, new Expected(expected, nowMillis()), value);
  }

  long nowMillis() {
    return nowMillis.getAsLong();
  }

  // --- sessions ----------------------------------------------------------------------------------

  MapSession openSession() {
    try {
      return noting(node.openSession(map));
    } catch (IllegalStateException e) {
      throw notBegun(e);
    }
  }

  private MapSession noting(MapSession session) {
    return own == null ? session : own.noting(session);
  }

  private MapSession session(Key key) {
    Local local = local();
    int hash = key.hashCode();
    int at = (hash ^ hash >>> 16) & (local.open.length - 1);
    if (local.open[at] == null) {
      // With release consistency it is the only one.
      local.open[at] = sessions == 1 ? first(local) : first(local).openBeside();
    }
    return local.open[at];
  }

  /** The session of a key; of one that has ended the next operation begins anew. */
  private MapSession sessionNow(Key key) {
    MapSession session = session(key);
    if (session.isEnded()) {
      forgetSessions();
    }
    return session;
  }

  private MapSession first(Local local) {
    if (local.first == null) {
      local.first = openSession();
    }
    return local.first;
  }

  /** The thread's next operation begins anew. */
  private void forgetSessions() {
    Local local = local();
    Arrays.fill(local.open, null);
    local.first = null;
  }

  // --- operations --------------------------------------------------------------------------------

  /** Answers a read in the calling thread, if this node's copy may do so at once. */
  boolean answerNow(Operation what) {
    Operation.Kind kind = what.kind();
    return (kind == Operation.Kind.READ || kind == Operation.Kind.ACQUIRE)
        && sessionNow(what.key()).answerNow(what);
  }

  /** Begins an operation on a key. */
  CompletableFuture<Operation> begin(Operation what) {
    return sessionNow(what.key()).submit(what);
  }

  /** Begins an operation that completes when its write is durable as a scope of its own. */
  CompletableFuture<Operation> beginScoped(Operation what) {
    return beginScoped(sessionNow(what.key()), what);
  }

  /**
   * Begins a batch, in the session that all others are beside.
   *
   * @param scoped whether it completes when it is durable as a scope of its own
   */
  CompletableFuture<Operation> beginBatch(Operation what, boolean scoped) {
    if (first(local()).isEnded()) {
      forgetSessions();
    }
    MapSession session = first(local());
    return scoped ? beginScoped(session, what) : session.submit(what);
  }

  private static CompletableFuture<Operation> beginScoped(MapSession session, Operation what) {
    CompletableFuture<Operation> written = session.submit(what);
    return session.submit(Operation.of(Operation.Kind.PERSIST)).thenCompose(persisted -> written);
  }

  /**
   * Adds to a key's number by compare-and-set, again while others come between; all of it in the
   * session of the thread that begins it.
   *
   * @param scoped whether each write is a scope of its own
   * @return what was there; no more is tried once the time is over
   */
  CompletableFuture<Long> add(Key key, long delta, boolean scoped, Duration timeout) {
    MapSession session = sessionNow(key);
    long end = System.nanoTime() + timeout.toNanos();
    Function<Operation, CompletableFuture<Operation>> how =
        what -> scoped ? beginScoped(session, what) : session.submit(what);
    return session
        .submit(Operation.read(key))
        .thenCompose(seen -> add(key, seen.read(), delta, how, end));
  }

  private CompletableFuture<Long> add(
      Key key,
      Write seen,
      long delta,
      Function<Operation, CompletableFuture<Operation>> how,
      long endNanos) {
    if (System.nanoTime() - endNanos >= 0) {
      return CompletableFuture.failedFuture(
          NotDoneException.ofMap("Others have come between each time"));
    }
    Expected expected =
        new Expected(Lifetime.isThere(seen, nowMillis()) ? seen.value() : null, nowMillis());
    long before = expected.value() == null ? 0 : Lifetimes.number(expected.value());
    Operation swap = Operation.compareAndSet(key, expected, Lifetimes.ofNumber(before + delta));
    return how.apply(swap)
        .thenCompose(
            done ->
                done.hasWritten()
                    ? CompletableFuture.completedFuture(before)
                    : add(key, done.read(), delta, how, endNanos));
  }

  /**
   * Reads all keys, each as a read of it would: hands over each version that has a value. What was
   * handed over counts when this returns.
   */
  void scan(Consumer<Write> each, Duration timeout) {
    long now = nowMillis();
    MapSession session = first(local());
    if (session.isEnded()) {
      forgetSessions();
    }
    await(
        session.submit(
            Operation.scan(
                version -> {
                  if (Lifetime.isThere(version, now)) {
                    each.accept(version);
                  }
                })),
        timeout);
  }

  /**
   * Does an operation and waits for it. If its session has ended and it has changed nothing, it
   * goes on at another node, where that shows all that the thread can have seen.
   */
  Operation run(
      Operation what, Function<Operation, CompletableFuture<Operation>> how, Duration timeout) {
    Operation next = what;
    for (int tries = 1; ; tries++) {
      // Who finds no node has looked for all of them.
      CompletableFuture<Operation> answer = how.apply(next);
      try {
        return await(answer, timeout);
      } catch (SessionLostException e) {
        boolean changesNothing = e instanceof NotDoneException || !what.kind().mayWrite();
        if (!changesNothing || !goesOnElsewhere || tries == TRIES_MAX) {
          throw e;
        }
        next = what.again();
      }
    }
  }

  /** Waits for an answer. */
  <T> T await(CompletableFuture<T> answer, Duration timeout) {
    if (!answer.isDone() && node.isWorker()) {
      throw new IllegalStateException(
          "What is done when an operation of a map completes cannot wait for the map; use the"
              + " asynchronous form");
    }
    try {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw exception(cause(e.getCause()));
    } catch (TimeoutException e) {
      throw OutcomeUnknownException.ofMap("There was no answer in " + timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OutcomeUnknownException.ofMap("The thread was interrupted");
    }
  }

  /** What the node says of the map when it serves: before that it has only a part of it. */
  Maps.MapState awaitServing(Duration timeout) {
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      Maps.MapState state = await(state(), timeout);
      if (state.serves()) {
        return state;
      }
      if (System.nanoTime() - end >= 0) {
        throw OutcomeUnknownException.ofMap("This node did not serve " + map + " in " + timeout);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private CompletableFuture<Maps.MapState> state() {
    try {
      return node.state(map);
    } catch (IllegalStateException e) {
      throw lost(e);
    }
  }

  /** What has no session was not begun. */
  private RuntimeException notBegun(IllegalStateException reason) {
    return node.failure() == null ? NotDoneException.ofMap(reason.getMessage()) : reason;
  }

  /** A node that has failed says why; one that does not have the map may have it again. */
  private RuntimeException lost(IllegalStateException reason) {
    return node.failure() == null ? new SessionLostException(reason.getMessage()) : reason;
  }

  /**
   * Begins an operation and never waits; every failure completes the stage, as an exception that
   * users know.
   *
   * @param result of the operation's end; asked for where the stage is completed
   */
  <T, R> CompletionStage<R> stage(
      Supplier<CompletableFuture<T>> beginning, Function<T, R> result, Waiting waiting) {
    return stages.begin(beginning, result, waiting);
  }

  /** Has a session, without waiting for a connection: what is begun next does not either. */
  void beReadyNow() {
    Local local = local();
    if (local.first != null) {
      return;
    }
    try {
      local.first = noting(node.openSessionNow(map));
    } catch (IllegalStateException e) {
      throw notBegun(e);
    }
  }

  /** The stage of what could not be begun. */
  <R> CompletionStage<R> failed(Throwable reason) {
    return CompletableFuture.failedFuture(failure(reason));
  }

  private static Throwable failure(Throwable reason) {
    Throwable cause = cause(reason);
    return cause instanceof Error ? cause : exception(cause);
  }

  private static Throwable cause(Throwable reason) {
    return reason instanceof CompletionException && reason.getCause() != null
        ? reason.getCause()
        : reason;
  }

  private static RuntimeException exception(Throwable cause) {
    if (cause instanceof NotBegunException) {
      return NotDoneException.ofMap(cause.getMessage());
    } else if (cause instanceof SessionEndedException) {
      return new SessionLostException(cause.getMessage());
    } else if (cause instanceof OtherNodeException) {
      return new AnotherNodeException(cause.getMessage());
    } else if (cause instanceof RejectedExecutionException) {
      return new OverloadException(cause.getMessage());
    } else if (cause instanceof RuntimeException known) {
      return known;
    }
    return new IllegalStateException(cause);
  }
}
