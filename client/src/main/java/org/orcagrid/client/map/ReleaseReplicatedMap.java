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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.orcagrid.ddp.replica.consistency.Operation;

/** A map of this node with release consistency. */
final class ReleaseReplicatedMap<K, V> extends AtomicReplicatedMap<K, V>
    implements ReleaseGridMap<K, V> {

  ReleaseReplicatedMap(MapCaller<K, V> access, Waiting waiting) {
    super(access, waiting);
  }

  @Override
  public ReleaseGridMap<K, V> timeout(Duration other) {
    return new ReleaseReplicatedMap<>(access(), waiting().withTimeout(other));
  }

  @Override
  public ReleaseGridMap<K, V> executor(Executor other) {
    return new ReleaseReplicatedMap<>(access(), waiting().withExecutor(other));
  }

  @Override
  public V getAcquire(K key) {
    return access().value(run(Operation.acquire(access().key(key))).read());
  }

  @Override
  public void setRelease(K key, V value) {
    run(Operation.release(access().key(key), access().value(value)));
  }

  @Override
  public CompletionStage<V> getAcquireAsync(K key) {
    return stage(() -> Operation.acquire(access().key(key)), done -> access().value(done.read()));
  }

  @Override
  public CompletionStage<Void> setReleaseAsync(K key, V value) {
    return stage(() -> Operation.release(access().key(key), access().value(value)), done -> null);
  }
}
