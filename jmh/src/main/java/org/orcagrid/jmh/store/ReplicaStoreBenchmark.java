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
package org.orcagrid.jmh.store;

import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.map.ChronicleMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.Reading;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.jmh.SameData;

/**
 * The replica store by itself, beside Chronicle Map: both outside the heap, safe for many threads,
 * and copying values in and out of buffers that are used again.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {
      // What Chronicle asks for on JDK 17; and no calls home.
      "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
      "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
      "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
      "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
      "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
      "--add-opens=java.base/java.io=ALL-UNNAMED",
      "--add-opens=java.base/java.util=ALL-UNNAMED",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
      "-Dchronicle.analytics.disable=true",
      "-Dchronicle.disclaimer=false",
      "-Dchronicle.announcer.disable=true"
    })
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReplicaStoreBenchmark {

  /** Which of the keys is next. */
  @State(Scope.Thread)
  public static class Order {
    private final Long[] keys = SameData.shuffledKeys(SameData.KEYS);
    private int next;

    Long next() {
      int at = next;
      next = at + 1 == keys.length ? 0 : at + 1;
      return keys[at];
    }
  }

  /** A replica store with the data. */
  @State(Scope.Benchmark)
  public static class Store {
    private final ReplicaStore store =
        new ReplicaStore(new ReplicaStore.Limits(SameData.KEYS, 1024, 1L << 28));
    private final Bytes key = new Bytes(64);
    private final Bytes value = new Bytes(64);
    private final Reading reading = new Reading();

    /** Fills it. */
    @Setup
    public void start() {
      for (int i = 0; i < SameData.KEYS; i++) {
        value.set(SameData.value(i));
        write(SameData.key(i));
      }
    }

    private long hash(Long name) {
      key.buffer().putLong(0, name);
      return KeyHash.hash(key.buffer(), 0, Long.BYTES);
    }

    private long read(Long name) {
      long record = store.find(key.buffer(), 0, Long.BYTES, hash(name));
      store.read(record, value, reading);
      return value.buffer().getLong(0);
    }

    private void write(Long name) {
      long record = store.findOrCreate(key.buffer(), 0, Long.BYTES, hash(name));
      store.lock(record);
      store.set(record, store.clock(record) + 1, 0, value.buffer(), 0, SameData.VALUE_BYTES);
      store.unlock(record);
    }
  }

  /** A Chronicle Map with the data. */
  @State(Scope.Benchmark)
  public static class Chronicle {
    private final byte[] value = SameData.value(0);
    private ChronicleMap<Long, byte[]> map;

    /** Fills it. */
    @Setup
    public void start() {
      map =
          ChronicleMap.of(Long.class, byte[].class)
              .name("floor")
              .entries(SameData.KEYS)
              .constantValueSizeBySample(new byte[SameData.VALUE_BYTES])
              .create();
      for (int i = 0; i < SameData.KEYS; i++) {
        map.put(SameData.key(i), SameData.value(i));
      }
    }

    /** Ends it. */
    @TearDown
    public void close() {
      map.close();
    }
  }

  /** Finds a key and copies its value. */
  @Benchmark
  public long storeRead(Store store, Order order) {
    return store.read(order.next());
  }

  /** Finds a key and replaces its value. */
  @Benchmark
  public void storeWrite(Store store, Order order) {
    store.write(order.next());
  }

  /** Finds a key and copies its value. */
  @Benchmark
  public byte[] chronicleRead(Chronicle chronicle, Order order) {
    return chronicle.map.getUsing(order.next(), chronicle.value);
  }

  /** Finds a key and replaces its value. */
  @Benchmark
  public void chronicleWrite(Chronicle chronicle, Order order) {
    chronicle.map.put(order.next(), chronicle.value);
  }
}
