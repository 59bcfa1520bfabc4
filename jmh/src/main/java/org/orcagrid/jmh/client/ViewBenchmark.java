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
package org.orcagrid.jmh.client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.jmh.SameData;

/** A relaxed read of a local copy through the client, beside a map of the JVM's own. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ViewBenchmark {

  /** Which of the keys is next. */
  @State(Scope.Thread)
  public static class Keys {
    /** How many of the keys are read: all, or so few that they stay in the processor's caches. */
    @Param({"1000", "100000"})
    public int read;

    private Long[] keys;
    private int next;

    /** Puts them in order. */
    @Setup
    public void shuffle() {
      keys = SameData.shuffledKeys(read);
    }

    Long next() {
      int at = next;
      next = at + 1 == keys.length ? 0 : at + 1;
      return keys[at];
    }
  }

  /** A grid with the data, and a session at its first node. */
  @State(Scope.Benchmark)
  public static class Running {
    /** Nodes in this JVM. */
    @Param({"1", "3"})
    public int nodes;

    private EmbeddedGrid grid;
    private GridSession session;
    private View<Long, byte[]> view;

    /** Fills it. */
    @Setup
    public void start() {
      grid = Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(nodes));
      session = grid.openSession(0);
      view = session.view(Codec.LONG, Codec.BYTES);
      for (int i = 0; i < SameData.KEYS; i++) {
        view.set(SameData.key(i), value(i));
      }
      view.setRelease(SameData.key(0), value(0));
    }

    byte[] value(int of) {
      return SameData.value(of);
    }

    /** Ends it. */
    @TearDown
    public void close() {
      session.close();
      grid.close();
    }
  }

  /** The same with values that are numbers. */
  @State(Scope.Benchmark)
  public static class Numbers extends Running {
    @Override
    byte[] value(int of) {
      return new byte[Long.BYTES];
    }
  }

  /** A map with the data. */
  @State(Scope.Benchmark)
  public static class Map {
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ConcurrentHashMap<Long, byte[]> map = new ConcurrentHashMap<>();

    /** Fills it. */
    @Setup
    public void start() {
      for (int i = 0; i < SameData.KEYS; i++) {
        map.put(SameData.key(i), SameData.value(i));
      }
    }
  }

  /** A value of 8 bytes as a number, without an object for it. */
  @Benchmark
  public long gridGetLong(Numbers grid, Keys keys) {
    return ((Running) grid).view.getLong(keys.next(), 0);
  }

  /** The value in an array of its own. */
  @Benchmark
  public byte[] gridGet(Running grid, Keys keys) {
    return grid.view.get(keys.next());
  }

  /** The array that is in the map; nothing in it is looked at. */
  @Benchmark
  public byte[] mapGet(Map map, Keys keys) {
    return map.map.get(keys.next());
  }

  /** The first 8 bytes of the array that is in the map. */
  @Benchmark
  public long mapGetLong(Map map, Keys keys) {
    return (long) Map.LONG.get(map.map.get(keys.next()), 0);
  }

  /** A copy of the array that is in the map, which its next change cannot reach. */
  @Benchmark
  public byte[] mapGetCopy(Map map, Keys keys) {
    return map.map.get(keys.next()).clone();
  }
}
