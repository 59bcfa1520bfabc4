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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.orcagrid.client.Waiting;
import org.orcagrid.ddp.map.Lifetime;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.log.RecoveryReport;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/** A map of this node. */
class ReplicatedMap<K, V> implements GridMap<K, V> {
  /** So many operations of a bulk are under way at once. */
  private static final int BULK = 1024;

  private final MapCaller<K, V> access;
  private final Waiting waiting;
  private final boolean persists;

  ReplicatedMap(MapCaller<K, V> access, Waiting waiting) {
    this.access = access;
    this.waiting = waiting;
    this.persists = model().persistency().isByScope();
  }

  /** Whether what writes is a scope of its own. */
  final boolean persists() {
    return persists;
  }

  MapCaller<K, V> access() {
    return access;
  }

  Waiting waiting() {
    return waiting;
  }

  Duration timeout() {
    return waiting.timeout();
  }

  @Override
  public String name() {
    return access.map().name();
  }

  @Override
  public Ddp model() {
    return access.map().model();
  }

  @Override
  public GridMap<K, V> timeout(Duration other) {
    return new ReplicatedMap<>(access, waiting.withTimeout(other));
  }

  @Override
  public GridMap<K, V> executor(Executor other) {
    return new ReplicatedMap<>(access, waiting.withExecutor(other));
  }

  // --- one key -----------------------------------------------------------------------------------

  /** Begins an operation; with scopes, one that writes is a scope of its own. */
  private CompletableFuture<Operation> begin(Operation what) {
    return persists && what.kind().mayWrite() ? access.beginScoped(what) : access.begin(what);
  }

  /** Does an operation and waits for it. */
  final Operation run(Operation what) {
    return access.answerNow(what) ? what : access.run(what, this::begin, timeout());
  }

  /** A key of any type, as {@link Map} has it; another type has no value. */
  @SuppressWarnings("unchecked")
  final Key keyOf(Object key) {
    return access.key((K) key);
  }

  @Override
  public V get(Object key) {
    Key name = keyOf(key);
    return access.value(run(Operation.read(name)).read());
  }

  @Override
  public void set(K key, V value) {
    Key name = access.key(key);
    run(Operation.write(name, access.valueOrNone(value)));
  }

  @Override
  public void set(K key, V value, Duration lifetime) {
    Key name = access.key(key);
    run(Operation.write(name, access.value(value, lifetime)));
  }

  @Override
  public Optional<Instant> expiry(K key) {
    Write found = run(Operation.read(access.key(key))).read();
    return Lifetime.isThere(found, access.nowMillis())
        ? Optional.of(Lifetime.moment(found.value()))
            .filter(moment -> moment != Long.MAX_VALUE)
            .map(Instant::ofEpochMilli)
        : Optional.empty();
  }

  @Override
  public void delete(K key) {
    Key name = access.key(key);
    run(Operation.write(name, null));
  }

  /** Begins an operation, whose end is told in a stage. */
  final <R> CompletionStage<R> stage(Supplier<Operation> what, Function<Operation, R> result) {
    Operation next;
    try {
      next = what.get();
      access.beReadyNow();
      if (access.answerNow(next)) {
        return CompletableFuture.completedFuture(result.apply(next));
      }
    } catch (RuntimeException | Error e) {
      return access.failed(e);
    }
    return access.stage(() -> begin(next), result, waiting);
  }

  private CompletionStage<Void> writing(K key, Supplier<byte[]> value) {
    return stage(() -> Operation.write(access.key(key), value.get()), done -> null);
  }

  @Override
  public CompletionStage<V> getAsync(K key) {
    return stage(() -> Operation.read(access.key(key)), done -> access.value(done.read()));
  }

  @Override
  public CompletionStage<Void> setAsync(K key, V value) {
    return writing(key, () -> access.valueOrNone(value));
  }

  @Override
  public CompletionStage<Void> setAsync(K key, V value, Duration lifetime) {
    return writing(key, () -> access.value(value, lifetime));
  }

  @Override
  public CompletionStage<Void> deleteAsync(K key) {
    return writing(key, () -> null);
  }

  // --- many --------------------------------------------------------------------------------------

  /** An operation of many that are under way at once. */
  private record Begun(Operation what, CompletableFuture<Operation> end) {}

  private Begun begun(Operation what) {
    return new Begun(
        what, access.answerNow(what) ? CompletableFuture.completedFuture(what) : begin(what));
  }

  /** Waits for it; what has changed nothing goes on at another node where {@link #run} would. */
  private Operation finish(Begun begun) {
    return access.run(
        begun.what(), next -> next == begun.what() ? begun.end() : begin(next), timeout());
  }

  @Override
  public Map<K, V> getAll(Collection<? extends K> keys) {
    Map<K, Begun> under = new LinkedHashMap<>();
    Map<K, V> found = new LinkedHashMap<>();
    for (K key : new LinkedHashSet<K>(keys)) {
      under.put(key, begun(Operation.read(access.key(key))));
      if (under.size() == BULK) {
        take(under, found);
      }
    }
    take(under, found);
    return found;
  }

  private void take(Map<K, Begun> under, Map<K, V> found) {
    under.forEach(
        (key, begun) -> {
          V value = access.value(finish(begun).read());
          if (value != null) {
            found.put(key, value);
          }
        });
    under.clear();
  }

  @Override
  public void setAll(Map<? extends K, ? extends V> entries) {
    List<Begun> under = new ArrayList<>();
    for (Map.Entry<? extends K, ? extends V> entry : entries.entrySet()) {
      Key key = access.key(entry.getKey());
      under.add(begun(Operation.write(key, access.valueOrNone(entry.getValue()))));
      finishIf(under, BULK);
    }
    finishIf(under, 1);
  }

  private void finishIf(List<Begun> under, int least) {
    if (under.size() >= least) {
      under.forEach(this::finish);
      under.clear();
    }
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, sizes().entries);
  }

  @Override
  public long sizeInBytes() {
    return sizes().bytes;
  }

  @Override
  public Optional<RecoveryReport> recovery() {
    return Optional.ofNullable(access.awaitServing(timeout()).recovery())
        .filter(RecoveryReport::isOfAnything);
  }

  private static final class Sizes {
    private long entries;
    private long bytes;
  }

  private Sizes sizes() {
    Sizes sizes = new Sizes();
    access.scan(
        version -> {
          byte[] value = version.value();
          sizes.entries++;
          sizes.bytes += version.key().length() + value.length - Lifetime.head(value);
        },
        timeout());
    return sizes;
  }

  private List<Write> versions() {
    List<Write> versions = new ArrayList<>();
    access.scan(versions::add, timeout());
    return versions;
  }

  @Override
  public Set<K> keySet() {
    List<Key> found = new ArrayList<>();
    access.scan(version -> found.add(version.key()), timeout());
    Set<K> keys = new LinkedHashSet<>();
    found.forEach(key -> keys.add(access.key(key)));
    return Collections.unmodifiableSet(keys);
  }

  @Override
  public Map<K, V> snapshot() {
    Map<K, V> all = new LinkedHashMap<>();
    versions().forEach(found -> all.put(access.key(found.key()), access.anyValue(found)));
    return Collections.unmodifiableMap(all);
  }

  @Override
  public void clear() {
    List<Begun> under = new ArrayList<>();
    for (Write version : versions()) {
      under.add(begun(Operation.write(version.key(), null)));
      finishIf(under, BULK);
    }
    finishIf(under, 1);
  }

  // --- beside ------------------------------------------------------------------------------------

  @Override
  public MapListening listen(MapListener<K, V> listener) {
    return MapEvents.listen(access, listener, timeout());
  }

  @Override
  public long backup(Path file) {
    try {
      return BackupWriter.write(file, model(), name(), versions());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long restore(Path file) {
    try {
      BackupReader.check(file);
      List<Begun> under = new ArrayList<>();
      long now = access.nowMillis();
      long written =
          BackupReader.read(
              file,
              version -> {
                if (!Lifetime.isThere(version, now)) {
                  return false;
                }
                under.add(begun(Operation.write(version.key(), version.value())));
                finishIf(under, BULK);
                return true;
              });
      finishIf(under, 1);
      return written;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return access.map().toString();
  }
}
