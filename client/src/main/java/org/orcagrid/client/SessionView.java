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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.store.Bytes;

/**
 * The keys of a grid as a session has them. Relaxed accesses touch this node's copy at once where
 * they can. To be used by one thread at a time, with all else of its session.
 */
final class SessionView<K, V> extends KeyForms<K, V> {
  private final GridSession session;
  private final NodeSession node;

  /** Null for the session's. */
  private final Waiting own;

  private final Bytes read = new Bytes(64);

  /** What was waited for last. */
  private final Answer<V> answer;

  /** What was read at once without waiting, and where. */
  private final Answer<V> readNow;

  private final Bytes bytesNow = new Bytes(64);

  /**
   * Whether a listener is being told so: what it begins is not answered within it, or it would go
   * ever deeper.
   */
  private boolean tellsNow;

  SessionView(GridSession session, Codec<K> keys, Codec<V> values, Waiting own) {
    super(keys, values);
    this.session = session;
    this.node = session.node();
    this.own = own;
    this.answer = session.answer();
    this.readNow = session.answer();
  }

  @Override
  public KeyView<K, V> timeout(Duration timeout) {
    return new SessionView<>(session, keys(), values(), waiting().withTimeout(timeout));
  }

  @Override
  public KeyView<K, V> executor(Executor executor) {
    return new SessionView<>(session, keys(), values(), waiting().withExecutor(executor));
  }

  private Waiting waiting() {
    return own == null ? session.waiting() : own;
  }

  @Override
  Executor executor() {
    return waiting().executor();
  }

  @Override
  public V get(K key) {
    return readNow(key).value();
  }

  @Override
  public long getLong(K key, long absent) {
    return readNow(key).longValue(absent);
  }

  @Override
  <R> boolean readNow(K key, Function<Answer<V>, R> result, CompletableFuture<R> stage) {
    boolean done = node.read(session.encodeKey(keys(), key), bytesNow);
    if (done) {
      end(stage, readNow.of(bytesNow, values()), result);
    }
    return done;
  }

  @Override
  boolean writeNow(K key, V value) {
    Bytes name = session.encodeKey(keys(), key);
    Outcome outcome = node.write(name, session.encodeValue(values(), value));
    GridException failure = outcome == null ? null : Answer.failure(outcome);
    if (failure != null) {
      throw failure;
    }
    return outcome != null;
  }

  @Override
  boolean tellNow(K key, AnswerListener<V> listener) {
    if (tellsNow || !node.read(session.encodeKey(keys(), key), bytesNow)) {
      return false;
    }
    tellsNow = true;
    try {
      readNow.of(bytesNow, values()).tell(listener);
    } finally {
      tellsNow = false;
    }
    return true;
  }

  private Answer<V> readNow(K key) {
    return node.read(session.encodeKey(keys(), key), read)
        ? answer.of(read, values())
        : run(OperationKind.READ, key, null, null, 0);
  }

  @Override
  public void set(K key, V value) {
    session.awaitRoom(waiting());
    if (!writeNow(key, value)) {
      run(OperationKind.WRITE, key, null, value, 0);
    }
  }

  @Override
  Answer<V> run(OperationKind kind, K key, V expected, V value, long delta) {
    Waiting asked = waiting();
    session.awaitRoom(asked);
    Request request = session.request(kind, keys(), key, delta);
    session.fill(request, values(), expected, value);
    session.run(request, asked);
    return answer.of(request, values());
  }

  @Override
  void begin(
      OperationKind kind, K key, V expected, V value, long delta, AnswerListener<V> listener) {
    Request request = session.request(kind, keys(), key, delta);
    session.fill(request, values(), expected, value);
    session.begin(request, values(), listener, waiting());
  }
}
