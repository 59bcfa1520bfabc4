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
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestQueue;
import org.orcagrid.ddp.store.Bytes;

/**
 * A session: its operations take effect in the order in which they were begun, as far as their
 * access modes ask for (Kite, Table 1). To be used by one thread at a time, like a {@code
 * VarHandle}'s variable by the thread that has it.
 */
public final class GridSession implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final NodeSession node;
  private final int valueBytesMax;
  private final Output output = new Output();
  private final Bytes key = new Bytes(64);
  private final Bytes value = new Bytes(64);

  private long timeoutNanos = TIMEOUT.toNanos();

  /** A session at a node, closed with this; for those who host a node. */
  public GridSession(NodeSession node, int valueBytesMax) {
    this.node = node;
    this.valueBytesMax = valueBytesMax;
  }

  /** How long an operation is waited for before its outcome is unknown; 10 s unless set. */
  public GridSession timeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("A time-out must be positive, not " + timeout);
    }
    timeoutNanos = timeout.toNanos();
    return this;
  }

  /** The grid's keys and values as those of two types. */
  public <K, V> View<K, V> view(Codec<K> keys, Codec<V> values) {
    return new View<>(this, keys, values);
  }

  /** Keys and values as bytes. */
  public View<byte[], byte[]> bytes() {
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

  /** A free request; waits for one. */
  Request next() {
    awaitRoom();
    return node.next();
  }

  /** Waits until one more operation may be under way. */
  void awaitRoom() {
    if (node.room() == 0) {
      if (node.isWorker()) {
        throw new OverloadException(
            RequestQueue.DEPTH
                + " operations of the session are under way, and a callback cannot"
                + " wait for one to end");
      }
      if (!node.awaitRoom(timeoutNanos)) {
        throw new OverloadException(
            RequestQueue.DEPTH
                + " operations of the session are under way, and none has ended in "
                + Duration.ofNanos(timeoutNanos));
      }
    }
  }

  /** Submits a request and waits for its end. */
  void run(Request request) {
    if (node.isWorker()) {
      throw new IllegalStateException(
          "A callback cannot wait for an operation of its session; use the asynchronous form");
    }
    node.submit(request);
    if (!node.await(request, timeoutNanos)) {
      throw new OutcomeUnknownException(
          Thread.currentThread().isInterrupted()
              ? "The thread was interrupted"
              : "There was no answer in " + Duration.ofNanos(timeoutNanos));
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
