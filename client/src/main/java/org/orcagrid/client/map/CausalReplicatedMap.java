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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.orcagrid.client.Waiting;
import org.orcagrid.ddp.replica.consistency.Batch;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/** A map of this node with causal consistency. */
final class CausalReplicatedMap<K, V> extends ReplicatedMap<K, V> implements CausalGridMap<K, V> {

  CausalReplicatedMap(MapCaller<K, V> access, Waiting waiting) {
    super(access, waiting);
  }

  @Override
  public CausalGridMap<K, V> timeout(Duration other) {
    return new CausalReplicatedMap<>(access(), waiting().withTimeout(other));
  }

  @Override
  public CausalGridMap<K, V> executor(Executor other) {
    return new CausalReplicatedMap<>(access(), waiting().withExecutor(other));
  }

  @Override
  public int node() {
    return run(Batch.ANYWHERE, List.of(), new HashMap<>()).node();
  }

  @Override
  public Map<K, V> getTogether(Collection<? extends K> keys) {
    return look(keys).values();
  }

  @Override
  public void setTogether(Map<? extends K, ? extends V> entries) {
    Map<Key, byte[]> writes = encoded(entries);
    List<Batch.Part> parts = new ArrayList<>();
    writes.forEach((key, value) -> parts.add(Batch.Part.write(key, value)));
    run(Batch.ANYWHERE, parts, new HashMap<>());
  }

  @Override
  public Together<K, V> look(Collection<? extends K> keys) {
    Map<Key, K> names = new LinkedHashMap<>();
    for (K key : new LinkedHashSet<K>(keys)) {
      names.put(access().key(key), key);
    }
    Map<Key, Write> found = new HashMap<>();
    Batch done = run(Batch.ANYWHERE, names.keySet().stream().map(Batch.Part::read).toList(), found);
    Map<K, V> values = new LinkedHashMap<>();
    Map<Key, Long> clocks = new LinkedHashMap<>();
    names.forEach(
        (name, key) -> {
          Write version = found.get(name);
          V value = access().value(version);
          if (value != null) {
            values.put(key, value);
          }
          // A value whose time is over is still the version that the node has.
          boolean hasValue = version != null && version.value() != null;
          clocks.put(name, hasValue ? version.clock() : Batch.NO_VALUE);
        });
    return new Seen(done.node(), Collections.unmodifiableMap(values), clocks);
  }

  private final class Seen implements Together<K, V> {
    private final int node;
    private final Map<K, V> values;
    private final Map<Key, Long> clocks;

    Seen(int node, Map<K, V> values, Map<Key, Long> clocks) {
      this.node = node;
      this.values = values;
      this.clocks = clocks;
    }

    @Override
    public Map<K, V> values() {
      return values;
    }

    @Override
    public int node() {
      return node;
    }

    @Override
    public Together<K, V> only(Collection<? extends K> keys) {
      Map<K, V> some = new LinkedHashMap<>();
      Map<Key, Long> expected = new LinkedHashMap<>();
      for (K key : keys) {
        Key name = access().key(key);
        Long clock = clocks.get(name);
        if (clock == null) {
          throw new IllegalArgumentException(key + " was not looked at");
        }
        expected.put(name, clock);
        if (values.containsKey(key)) {
          some.put(key, values.get(key));
        }
      }
      return new Seen(node, Collections.unmodifiableMap(some), expected);
    }

    @Override
    public boolean set(Map<? extends K, ? extends V> writes) {
      Map<Key, byte[]> encoded = encoded(writes);
      List<Batch.Part> parts = new ArrayList<>();
      clocks.forEach(
          (key, clock) ->
              parts.add(new Batch.Part(key, clock, encoded.containsKey(key), encoded.get(key))));
      encoded.forEach(
          (key, value) -> {
            if (!clocks.containsKey(key)) {
              parts.add(Batch.Part.write(key, value));
            }
          });
      return run(node, parts, new HashMap<>()).held();
    }

    @Override
    public String toString() {
      return "node " + node + ": " + values;
    }
  }

  /** Null removes. */
  private Map<Key, byte[]> encoded(Map<? extends K, ? extends V> entries) {
    Map<Key, byte[]> encoded = new LinkedHashMap<>();
    entries.forEach((key, value) -> encoded.put(access().key(key), access().valueOrNone(value)));
    return encoded;
  }

  private Batch run(int place, List<Batch.Part> parts, Map<Key, Write> found) {
    Batch batch = new Batch(place, parts);
    Operation what = Operation.batch(batch, version -> found.put(version.key(), version));
    access().await(access().beginBatch(what, persists() && batch.mayWrite()), timeout());
    return batch;
  }
}
