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

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.store.Bytes;

/**
 * A session of {@link SharedKeys}: one thread at a time has its lock while it begins an operation,
 * and none while it waits for one.
 */
final class Lane {
  private final GridSession session;
  private final NodeSession node;
  private final ReentrantLock lock = new ReentrantLock();
  private final int number;
  private final IntConsumer onIdle;
  private final AtomicInteger underWay = new AtomicInteger();
  private final Bytes read = new Bytes(64);
  private final Answer<Object> reading;

  /** Relaxed writes that were begun here; with the lock. */
  private volatile long written;

  /** Of how many of them a release has ended that came after them; of the thread that ends it. */
  private volatile long released;

  /**
   * A session.
   *
   * @param onIdle is given the number when nothing is under way any more; any thread
   */
  Lane(NodeSession node, SharedKeys.Source source, int number, IntConsumer onIdle) {
    this.node = node;
    this.number = number;
    this.onIdle = onIdle;
    this.session = new GridSession(node, source.valueBytesMax(), source.deadlines(), this::ended);
    this.reading = session.answer();
  }

  NodeSession node() {
    return node;
  }

  int underWay() {
    return underWay.get();
  }

  void lock() {
    lock.lock();
  }

  boolean tryLock() {
    return lock.tryLock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Whether no release has come yet after some relaxed writes. */
  boolean hasUnreleased() {
    return written != released;
  }

  private void ended() {
    if (underWay.decrementAndGet() == 0) {
      onIdle.accept(number);
    }
  }

  // --- with the lock -----------------------------------------------------------------------------

  /** A relaxed read at once, in bytes that stand as long as the lock is held; null if it cannot. */
  <K> Bytes read(Codec<K> keys, K key) {
    return node.read(session.encodeKey(keys, key), read) ? read : null;
  }

  /** What {@link #read} has found; of any type, and as long as that stands. */
  @SuppressWarnings("unchecked")
  <V> Answer<V> answer(Bytes found, Codec<V> values) {
    return ((Answer<V>) reading).of(found, values);
  }

  /** A relaxed write at once; false if it cannot. */
  // The lock is held.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  <K, V> boolean write(Codec<K> keys, Codec<V> values, K key, V value) {
    Bytes name = session.encodeKey(keys, key);
    Bytes content = session.encodeValue(values, value);
    // Before it is there: a release that does not see this does not come after it.
    written++;
    Outcome outcome = node.write(name, content);
    GridException failure = outcome == null ? null : Answer.failure(outcome);
    if (failure != null) {
      throw failure;
    }
    return outcome != null;
  }

  /** Begins an operation. */
  <K, V> void begin(Call<K, V> what, AnswerListener<V> listener, Waiting waiting) {
    underWay.incrementAndGet();
    try {
      Request request = session.request(what.kind(), what.keys(), what.key(), what.delta());
      session.fill(request, what.values(), what.expected(), what.value());
      session.begin(request, what.values(), noting(what.kind(), listener), waiting);
    } catch (RuntimeException | Error e) {
      ended();
      throw e;
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  private <V> AnswerListener<V> noting(OperationKind kind, AnswerListener<V> listener) {
    if (kind == OperationKind.WRITE) {
      written++;
      return listener;
    }
    long before = written;
    if (before == released || kind == OperationKind.READ || kind == OperationKind.ACQUIRE) {
      return listener;
    }
    return answer -> {
      // One that has not written has not waited for what was written before it.
      if (answer.isDone() && before > released) {
        released = before;
      }
      listener.onAnswer(answer);
    };
  }

  /**
   * An operation.
   *
   * @param expected of a compare-and-set
   * @param value what it writes
   * @param delta what it adds
   */
  record Call<K, V>(
      OperationKind kind, Codec<K> keys, Codec<V> values, K key, V expected, V value, long delta) {}
}
