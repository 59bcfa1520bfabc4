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
package org.orcagrid.ddp.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.replica.consistency.Batch;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/** A session of a map with keys and values of text: all that tests know of how it is asked. */
final class MapClient {
  private final MapSession session;

  MapClient(MapSession session) {
    this.session = session;
  }

  /** Asks for an operation and does not wait. */
  private CompletableFuture<Operation> ask(Operation what) {
    return session.submit(what);
  }

  private Operation run(Operation what) {
    try {
      return ask(what).get(ContractNodes.PATIENCE_NANOS, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("No answer", e);
    }
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(UTF_8);
  }

  private static String text(Write version) {
    return version == null || version.value() == null ? null : new String(version.value(), UTF_8);
  }

  /** Null removes. */
  void put(String key, String value) {
    putAsync(key, value).join();
  }

  CompletableFuture<?> putAsync(String key, String value) {
    return ask(Operation.write(Key.of(key), bytes(value)))
        .orTimeout(ContractNodes.PATIENCE_NANOS, TimeUnit.NANOSECONDS);
  }

  String get(String key) {
    return text(run(Operation.read(Key.of(key))).read());
  }

  void release(String key, String value) {
    run(Operation.release(Key.of(key), bytes(value)));
  }

  String acquire(String key) {
    return text(run(Operation.acquire(Key.of(key))).read());
  }

  /** Whether it has written; one that was aborted has not. */
  boolean compareAndSet(String key, String expected, String value) {
    Operation done = run(Operation.compareAndSet(Key.of(key), bytes(expected), bytes(value)));
    return done.status() == Operation.Status.DONE && done.hasWritten();
  }

  String getAndSet(String key, String value) {
    return text(run(Operation.getAndSet(Key.of(key), bytes(value))).read());
  }

  /** Persists a scope, or begins, ends or gives up a transaction. */
  void run(Operation.Kind kind) {
    run(Operation.of(kind));
  }

  /** Does a batch; the keys that had a value before. */
  Map<String, String> batch(Batch what) {
    Map<String, String> found = new TreeMap<>();
    run(Operation.batch(what, version -> add(found, version)));
    return found;
  }

  private static void add(Map<String, String> found, Write version) {
    if (version.value() != null) {
      found.put(new String(version.key().bytes(), UTF_8), text(version));
    }
  }

  /** All keys that have a value. */
  Map<String, String> scan() {
    Map<String, String> found = new TreeMap<>();
    run(Operation.scan(version -> add(found, version)));
    return found;
  }
}
