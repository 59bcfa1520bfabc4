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
package org.orcagrid.client;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestQueue;
import org.orcagrid.ddp.store.Bytes;

/**
 * A session: its operations take effect in the order in which they were begun, as far as their
 * access modes ask for (Kite, Table 1). To be used by one thread at a time, like a {@code
 * VarHandle}'s variable by the thread that has it.
 *
 * <p>Of its asynchronous operations {@value RequestQueue#DEPTH} may be under way, half of that from
 * outside. One more is refused with an {@link OverloadException} at once, and {@link #awaitRoom}
 * waits until one may be begun. An operation is under way until its listener has returned, or its
 * stage was handed to the {@link #executor}; one whose time-out has passed, until it has ended.
 */
public final class GridSession implements AutoCloseable {
  private final NodeSession node;
  private final int valueBytesMax;
  private final Output output = new Output();
  private final Bytes key = new Bytes(64);
  private final Bytes value = new Bytes(64);

  private final SessionAnswers answers;
  private Waiting waiting = Waiting.USUAL;

  /**
   * A session at a node, closed with this; for those who host a node.
   *
   * @param deadlines of all sessions of the grid
   */
  public GridSession(NodeSession node, int valueBytesMax, Deadlines deadlines) {
    this(node, valueBytesMax, deadlines, () -> {});
  }

  /**
   * The same.
   *
   * @param onEnded is run when a request has ended that had a listener, by the thread that ends it
   */
  GridSession(NodeSession node, int valueBytesMax, Deadlines deadlines, Runnable onEnded) {
    this.node = node;
    this.valueBytesMax = valueBytesMax;
    this.answers = new SessionAnswers(node, deadlines, onEnded);
  }

  /**
   * How long an operation may take before its outcome is unknown; 10 s unless set. For asynchronous
   * operations it counts in steps of {@value Deadlines#TICK_MILLIS} ms. Of those that are begun
   * later, by views without a time-out or an executor of their own.
   */
  public GridSession timeout(Duration timeout) {
    waiting = waiting.withTimeout(timeout);
    return this;
  }

  /**
   * Where the stages of asynchronous operations are completed, and so what depends on them runs; of
   * those that are begun later, by views without an executor or a time-out of their own. Unless set
   * it is {@link java.util.concurrent.ForkJoinPool#commonPool}, where a callback that waits or
   * throws holds up neither a node nor a connection. With {@code Runnable::run} it is the node's or
   * the connection's own thread, which must not wait.
   *
   * @param executor must run all that it accepts; if it refuses, the default one does
   */
  public GridSession executor(Executor executor) {
    waiting = waiting.withExecutor(executor);
    return this;
  }

  /** The grid's keys and values as those of two types. */
  public <K, V> KeyView<K, V> view(Codec<K> keys, Codec<V> values) {
    return new SessionView<>(this, keys, values, null);
  }

  /** Keys and values as bytes. */
  public KeyView<byte[], byte[]> bytes() {
    return view(Codec.BYTES, Codec.BYTES);
  }

  NodeSession node() {
    return node;
  }

  <T> Bytes encodeKey(Codec<T> codec, T from) {
    encode(codec, from, key);
    checkKey(key);
    return key;
  }

  <T> Bytes encodeValue(Codec<T> codec, T from) {
    encode(codec, from, value);
    checkValue(value);
    return value;
  }

  private <T> void encode(Codec<T> codec, T from, Bytes into) {
    if (from == null) {
      into.length(-1);
      return;
    }
    codec.write(from, output.begin(into));
    output.end();
  }

  private static void checkKey(Bytes bytes) {
    if (bytes.length() < 0) {
      throw new NullPointerException("A key cannot be null");
    }
    int most = org.orcagrid.ddp.store.ReplicaStore.KEY_BYTES_MAX;
    if (bytes.length() > most) {
      throw new IllegalArgumentException(
          "A key of " + bytes.length() + " bytes is longer than the " + most + " allowed");
    }
  }

  private void checkValue(Bytes bytes) {
    if (bytes.length() > valueBytesMax) {
      throw new IllegalArgumentException(
          "A value of "
              + bytes.length()
              + " bytes is longer than the "
              + valueBytesMax
              + " that this grid was started for; split it, or start the grid for more");
    }
  }

  /** How many more asynchronous operations may be begun now. */
  public int room() {
    return node.room();
  }

  /**
   * Waits until one more asynchronous operation may be begun.
   *
   * @throws OverloadException if none has ended in the session's time-out, or at once in a callback
   *     that runs in the node's or the connection's own thread
   */
  public void awaitRoom() {
    awaitRoom(waiting);
  }

  void awaitRoom(Waiting asked) {
    if (node.room() > 0) {
      return;
    }
    if (node.isWorker()) {
      throw new OverloadException(
          "As many operations of the session are under way as may be, and a callback cannot wait"
              + " for one to end");
    }
    if (!node.awaitRoom(Deadlines.nanos(asked.timeout()))) {
      throw new OverloadException(
          "As many operations of the session are under way as may be, and none has ended in "
              + asked.timeout());
    }
  }

  /** A free request; never waits. */
  Request nextNow() {
    Request next = node.next();
    if (next == null) {
      throw new OverloadException(
          "As many operations of the session are under way as may be; wait for one to end, or with"
              + " GridSession.awaitRoom");
    }
    return next;
  }

  /** A free request for an operation on a key, without its values; never waits. */
  <K> Request request(OperationKind kind, Codec<K> keys, K name, long delta) {
    Bytes encoded = encodeKey(keys, name);
    Request request = nextNow();
    request.kind(kind);
    request.key().set(encoded);
    request.delta(delta);
    return request;
  }

  /** Gives a request its values; null for none. */
  <V> void fill(Request request, Codec<V> values, V expected, V written) {
    if (request.kind().writes()) {
      request.value().set(encodeValue(values, written));
    }
    if (request.kind().compares()) {
      request.expected().set(encodeValue(values, expected));
    }
  }

  /** Submits a request, of whose end the listener is told. */
  <V> void begin(Request request, Codec<V> values, AnswerListener<V> listener, Waiting asked) {
    Answer<V> answer = answers.begin(request, values, listener, asked);
    try {
      node.submit(request);
    } catch (RuntimeException | Error e) {
      if (answer.withdraw()) {
        throw e;
      }
      // The listener was told before.
    }
  }

  /** An answer whose end its caller reports. */
  <V> Answer<V> answer() {
    return new Answer<>(answers);
  }

  Waiting waiting() {
    return waiting;
  }

  /** Submits a request and waits for its end. */
  void run(Request request, Waiting asked) {
    if (node.isWorker()) {
      throw new IllegalStateException(
          "A callback cannot wait for an operation of its session; use the asynchronous form");
    }
    node.submit(request);
    if (!node.await(request, Deadlines.nanos(asked.timeout()))) {
      throw new OutcomeUnknownException(
          Thread.currentThread().isInterrupted()
              ? "The thread was interrupted"
              : "There was no answer in " + asked.timeout());
    }
    if (request.outcome() == Outcome.UNKNOWN && node.failure() != null) {
      throw new OutcomeUnknownException("The node has failed: " + node.failure());
    }
    GridException failure = Answer.failure(request.outcome());
    if (failure != null) {
      throw failure;
    }
  }

  /** Gives the session back once all its operations have ended. */
  @Override
  public void close() {
    node.close();
  }
}
