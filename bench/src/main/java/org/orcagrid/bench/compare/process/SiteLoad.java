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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients at a site, by a product's remote client. What stands before the variant in an order says
 * what they do: {@link #LAG} writes at home and looks at the other site until the write is there,
 * {@link #PACED} does the same operations as without it, but so many a second. Every operation is
 * timed.
 */
public abstract class SiteLoad extends ClientLoad {
  /** Each operation is a write at home that is waited for at the other site. */
  public static final String LAG = "lag:";

  /** All threads together begin {@link #PACE_PER_SECOND} operations a second. */
  public static final String PACED = "paced:";

  /** Both products can do so many. */
  public static final int PACE_PER_SECOND = 200;

  /** Who waits for longer for a write at the other site counts it as if it had come then. */
  public static final int LAG_SECONDS_MAX = 20;

  private static final int HOME = 0;
  private static final int OTHER = 1;
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final int KEY_BYTES = 16;
  private static final int LAG_KEYS = 1_000;

  private final LoadSettings settings;
  private final Latencies.Recorder latencies = new Latencies.Recorder();
  private final AtomicLong lagKeys = new AtomicLong();

  /** Makes the clients; their threads begin with the first turn. */
  protected SiteLoad(LoadSettings settings) {
    super(settings);
    this.settings = settings;
  }

  /** What a client does with a variant's data at a site; keys are {@link #key}. */
  protected abstract Accesses at(int site, String variant);

  /** A key's bytes, 16 of them less those that the product adds. */
  protected static byte[] key(long number, int added) {
    byte[] digits = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    byte[] key = new byte[KEY_BYTES - added];
    Arrays.fill(key, (byte) '0');
    System.arraycopy(digits, 0, key, key.length - digits.length, digits.length);
    return key;
  }

  @Override
  protected int fillers() {
    return 1;
  }

  @Override
  protected final Accesses open(String variant) {
    if (variant.startsWith(LAG)) {
      String own = variant.substring(LAG.length());
      return lag(at(HOME, own), at(OTHER, own));
    }
    if (variant.startsWith(PACED)) {
      return paced(timed(at(HOME, variant.substring(PACED.length()))));
    }
    return timed(at(HOME, variant));
  }

  private Accesses timed(Accesses by) {
    return new Accesses(
        by::read,
        by::write,
        key -> {
          long began = System.nanoTime();
          Object value = by.get(key);
          latencies.add(System.nanoTime() - began);
          return value;
        },
        (key, value) -> {
          long began = System.nanoTime();
          by.set(key, value);
          latencies.add(System.nanoTime() - began);
        });
  }

  private Accesses paced(Accesses by) {
    long intervalNanos =
        TimeUnit.SECONDS.toNanos(1) * settings.pressure().threads() / PACE_PER_SECOND;
    AtomicLong next = new AtomicLong(System.nanoTime());
    return new Accesses(
        by::read,
        by::write,
        by::get,
        (key, value) -> {
          // Who is late does not hurry afterwards.
          long due = Math.max(next.get(), System.nanoTime() - intervalNanos);
          next.set(due + intervalNanos);
          for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
          }
          by.set(key, value);
        });
  }

  private Accesses lag(Accesses home, Accesses other) {
    return new Accesses(
        home::read,
        home::write,
        home::get,
        (unused, value) -> {
          // Of keys that nobody else writes.
          long key = settings.data().keys() + lagKeys.getAndIncrement() % LAG_KEYS;
          ByteBuffer.wrap(value).putLong(0, System.nanoTime());
          long began = System.nanoTime();
          home.set(key, value);
          awaitValue(other, key, value, began);
          latencies.add(System.nanoTime() - began);
        });
  }

  private static void awaitValue(Accesses other, long key, byte[] value, long began) {
    long limit = TimeUnit.SECONDS.toNanos(LAG_SECONDS_MAX);
    while (!(other.get(key) instanceof byte[] seen && Arrays.equals(seen, value))) {
      if (System.nanoTime() - began > limit) {
        return;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  @Override
  public final void fill() {
    super.fill();
    for (String variant : filled()) {
      awaitOther(variant);
    }
  }

  private void awaitOther(String variant) {
    Accesses other = at(OTHER, variant);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LAG_SECONDS_MAX);
    int at = 0;
    while (at < settings.data().keys()) {
      int end = Math.min(settings.data().keys(), at + settings.pressure().depth());
      List<CompletableFuture<?>> reads = new ArrayList<>();
      for (int key = at; key < end; key++) {
        reads.add(other.read(key).toCompletableFuture());
      }
      if (reads.stream().allMatch(each -> each.join() != null)) {
        at = end;
        deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LAG_SECONDS_MAX);
      } else if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("The other site does not get the keys of " + variant);
      }
    }
  }

  @Override
  public final Latencies latencies() {
    return latencies.soFar();
  }
}
