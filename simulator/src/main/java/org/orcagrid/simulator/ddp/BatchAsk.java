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
package org.orcagrid.simulator.ddp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.orcagrid.ddp.replica.consistency.Batch;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.simulator.checker.Access;

/** The batches of a client, one after the other: what it asks for, and what it learns. */
final class BatchAsk {
  private static final int WRITES_PERCENT = 60;
  private static final int EXPECTS_PERCENT = 60;
  private static final int VALUE_BYTES = Long.BYTES;

  private final DdpRun run;
  private final SplittableRandom random;

  /** The version that the client has found or left in each key, 0 for no value. */
  private final Map<Integer, Long> lastClocks = new HashMap<>();

  // Of the present one.
  private final Map<Integer, Batch.Part> parts = new TreeMap<>();
  private final Map<Key, Write> found = new LinkedHashMap<>();

  BatchAsk(DdpRun run) {
    this.run = run;
    this.random = run.simulation().random();
  }

  /** A client has found this version of a key; null for none. */
  void saw(int key, Write version) {
    lastClocks.put(key, version == null || version.value() == null ? 0 : version.clock());
  }

  void wrote(int key, long clock, boolean removes) {
    lastClocks.put(key, removes ? 0 : clock);
  }

  /** The next one, about some keys; its writes have one value. */
  Operation next(int value) {
    parts.clear();
    found.clear();
    List<Integer> keys = new ArrayList<>();
    for (int key = 0; key < run.schedule().keys(); key++) {
      keys.add(key);
    }
    int size = 1 + random.nextInt(Math.min(4, keys.size()));
    boolean writes = random.nextInt(100) < WRITES_PERCENT;
    boolean expects = random.nextInt(100) < EXPECTS_PERCENT;
    for (int i = 0; i < size; i++) {
      int key = keys.remove(random.nextInt(keys.size()));
      boolean expectsIt = expects && random.nextInt(4) != 0;
      long expected = expectsIt ? lastClocks.getOrDefault(key, 0L) : Batch.ANY;
      boolean writesIt = writes && random.nextInt(4) != 0;
      boolean removes = random.nextInt(100) < run.removePercent();
      byte[] bytes =
          writesIt && !removes ? ByteBuffer.allocate(VALUE_BYTES).putLong(value).array() : null;
      parts.put(key, new Batch.Part(DdpRun.key(key), expected, writesIt, bytes));
    }
    return Operation.batch(
        new Batch(Batch.ANYWHERE, List.copyOf(parts.values())),
        version -> found.put(version.key(), version));
  }

  /** Takes each part of what it asks for, as an event: what was found before what was written. */
  interface Recorder {
    /** A read or write of a version of a key, in a unit if it is of a moment, -1 if not. */
    void record(Operation.Kind kind, int key, int unit, long clock, DdpEvent.Values values);
  }

  /** It has ended. */
  void ended(Operation done, int value, Recorder recorder) {
    int unit = run.newUnit();
    Map<Integer, Long> clocks = new TreeMap<>();
    Map<Integer, Long> least = new TreeMap<>();
    Set<Integer> valued = new HashSet<>();
    parts.forEach(
        (key, part) -> {
          Write version = found.get(part.key());
          boolean hasValue = version != null && version.value() != null;
          clocks.put(key, version == null ? 0 : version.clock());
          least.put(key, version == null ? run.forgotten(key) : version.clock());
          if (hasValue) {
            valued.add(key);
          }
          saw(key, version);
          long read = hasValue ? ByteBuffer.wrap(version.value()).getLong() : Access.ABSENT;
          recorder.record(
              Operation.Kind.READ,
              key,
              unit,
              least.get(key),
              new DdpEvent.Values(clocks.get(key), read, 0, 0));
        });
    recorder.record(Operation.Kind.END, -1, unit, 0, new DdpEvent.Values(0, 0, 0, 0));
    writes(done, value, recorder);
    run.record(event(done.clock(), done.batch().held(), clocks, least, valued));
  }

  /** Nobody knows what has become of it. */
  void lost(Operation open, int value, Recorder recorder) {
    writes(open, value, recorder);
    run.record(event(open.clock(), false, null, null, Set.of()));
  }

  private void writes(Operation of, int value, Recorder recorder) {
    parts.forEach(
        (key, part) -> {
          if (part.writes() && of.hasWritten()) {
            wrote(key, of.clock(), part.value() == null);
            long argument = part.value() == null ? Access.ABSENT : value;
            recorder.record(
                Operation.Kind.WRITE, key, -1, of.clock(), new DdpEvent.Values(0, 0, argument, 0));
          }
        });
  }

  private BatchEvent event(
      long clock,
      boolean held,
      Map<Integer, Long> clocks,
      Map<Integer, Long> least,
      Set<Integer> valued) {
    Set<Integer> written = new HashSet<>();
    Map<Integer, Long> expected = new TreeMap<>();
    parts.forEach(
        (key, part) -> {
          if (part.writes()) {
            written.add(key);
          }
          if (part.expected() != Batch.ANY) {
            expected.put(key, part.expected());
          }
        });
    return new BatchEvent(clock, written, expected, held, clocks, least, valued);
  }
}
