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
package org.orcagrid.bench.compare.process;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/** Clients of a system: threads that use it by its own interface, as a program does. */
public abstract class ClientLoad implements LoadTarget {
  private static final long FILL_NANOS_MAX = TimeUnit.SECONDS.toNanos(100);
  private static final long STILL_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  private final LoadSettings settings;
  private final List<LoadClient> clients = new ArrayList<>();
  private final AtomicReference<String> failure = new AtomicReference<>();

  /** Makes the clients; their threads begin with the first turn. */
  protected ClientLoad(LoadSettings settings) {
    this.settings = settings;
    for (int i = 0; i < settings.pressure().threads(); i++) {
      clients.add(
          new LoadClient(settings, settings.self() * 1000L + i, this::open, this::onFailure));
    }
  }

  /** What a client does with the data of a variant; asked for once by each client. */
  protected abstract Accesses open(String variant);

  /** The variants, each of which has data of its own that is to be filled. */
  protected final List<String> variants() {
    return settings.use().variants();
  }

  /** Those of the variants that have data in all processes. */
  protected List<String> filled() {
    return variants();
  }

  /** How many processes fill the keys together. */
  protected int fillers() {
    return settings.ports().size();
  }

  private void onFailure(String reason) {
    failure.compareAndSet(null, reason);
  }

  @Override
  public void fill() {
    LoadClient filler = clients.get(0);
    for (String variant : filled()) {
      for (int key = settings.self(); key < settings.data().keys(); key += fillers()) {
        filler.write(variant, key);
      }
    }
    // A store that forces each entry takes its time until the last one is under way.
    long deadline = System.nanoTime() + FILL_NANOS_MAX;
    long done = filler.done();
    while (!filler.isEmpty() && failure.get() == null) {
      if (filler.done() != done) {
        // On a busy machine it takes its time; one that stands still has lost some.
        done = filler.done();
        deadline = Math.max(deadline, System.nanoTime() + STILL_NANOS_MAX);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("The keys cannot be filled in time");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    if (failure.get() != null) {
      throw new IllegalStateException(failure.get());
    }
    for (String variant : filled()) {
      awaitAllKeys(variant, deadline);
    }
  }

  /** The product's state, for the message of a failure. */
  protected String state() {
    return product();
  }

  /** The others fill too, and what is replicated some time arrives some time. */
  private void awaitAllKeys(String variant, long deadline) {
    long end = deadline;
    Accesses accesses = clients.get(0).accesses(variant);
    List<Long> missing = LongStream.range(0, settings.data().keys()).boxed().toList();
    while (!missing.isEmpty()) {
      List<Long> absent = new ArrayList<>();
      int depth = settings.pressure().depthOfThread();
      for (int from = 0; from < missing.size(); from += depth) {
        List<Long> some = missing.subList(from, Math.min(missing.size(), from + depth));
        List<CompletableFuture<?>> reads = new ArrayList<>();
        some.forEach(key -> reads.add(accesses.read(key).toCompletableFuture()));
        for (int i = 0; i < some.size(); i++) {
          if (reads.get(i).join() == null) {
            absent.add(some.get(i));
          }
        }
      }
      if (absent.size() < missing.size()) {
        // A store that forces each entry takes its time; one that stands still has lost some.
        end = Math.max(end, System.nanoTime() + STILL_NANOS_MAX);
      } else if (!absent.isEmpty() && System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            absent.size() + " keys of " + variant + " do not arrive: " + state());
      }
      missing = absent;
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(absent.isEmpty() ? 0 : 100));
    }
  }

  @Override
  public void begin(LoadOrder next) {
    clients.forEach(client -> client.start(next));
  }

  @Override
  public long done() {
    return clients.stream().mapToLong(LoadClient::done).sum();
  }

  @Override
  public Latencies latencies() {
    return clients.stream().map(LoadClient::latencies).reduce(Latencies.none(), Latencies::plus);
  }

  @Override
  public void end() {
    clients.forEach(LoadClient::stop);
  }

  @Override
  public boolean isIdle() {
    return clients.stream().allMatch(LoadClient::isIdle);
  }

  @Override
  public String failure() {
    return failure.get();
  }
}
