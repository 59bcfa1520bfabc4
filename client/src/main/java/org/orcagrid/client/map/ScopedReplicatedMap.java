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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.orcagrid.client.Waiting;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.replica.consistency.Operation;

/** A map of this node whose model has scopes. */
final class ScopedReplicatedMap<K, V> extends ReplicatedMap<K, V> implements ScopedGridMap<K, V> {

  ScopedReplicatedMap(MapCaller<K, V> access, Waiting waiting) {
    super(access, waiting);
  }

  @Override
  public ScopedGridMap<K, V> timeout(Duration other) {
    return new ScopedReplicatedMap<>(access(), waiting().withTimeout(other));
  }

  @Override
  public ScopedGridMap<K, V> executor(Executor other) {
    return new ScopedReplicatedMap<>(access(), waiting().withExecutor(other));
  }

  @Override
  public GridScope<K, V> scope() {
    return new Scope(access().openSession());
  }

  private final class Scope implements GridScope<K, V> {
    private final MapSession session;

    Scope(MapSession session) {
      this.session = session;
    }

    private <T> T await(CompletableFuture<T> answer) {
      return access().await(answer, timeout());
    }

    private CompletableFuture<Operation> write(K key, byte[] value) {
      return session.submit(Operation.write(access().key(key), value));
    }

    private CompletableFuture<Operation> persisting() {
      return session.submit(Operation.of(Operation.Kind.PERSIST));
    }

    @Override
    public V get(K key) {
      return access().value(await(session.submit(Operation.read(access().key(key)))).read());
    }

    @Override
    public void set(K key, V value) {
      await(write(key, access().value(value)));
    }

    @Override
    public CompletionStage<Void> setAsync(K key, V value) {
      return access().stage(() -> write(key, access().value(value)), done -> null, waiting());
    }

    @Override
    public void delete(K key) {
      await(write(key, null));
    }

    @Override
    public void persist() {
      await(persisting());
    }

    @Override
    public CompletionStage<Void> persistAsync() {
      return access().stage(this::persisting, done -> null, waiting());
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
