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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/** What has happened to a map, for the judge. Safe for use by many threads. */
final class MapHistory {
  private final MapDefinition map;
  private final int keys;
  private final List<DdpEvent> events = new ArrayList<>();
  private final List<DdpJudge.Recovery> recoveries = new ArrayList<>();

  /** What was written, by the clock of the version. */
  private final Map<Long, byte[]> written = new HashMap<>();

  private final List<String> foreign = new ArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();

  MapHistory(MapDefinition map, int keys) {
    this.map = map;
    this.keys = keys;
  }

  MapDefinition map() {
    return map;
  }

  int keys() {
    return keys;
  }

  static Key key(int number) {
    return Key.of("k" + number);
  }

  /** A number that nothing else of this map has: a client's, a unit's or a value's. */
  int newNumber() {
    return numbers.incrementAndGet();
  }

  /** A value that no other write has, so long. */
  static byte[] value(int number, int bytes) {
    byte[] value = new byte[Integer.BYTES + bytes];
    Arrays.fill(value, (byte) number);
    ByteBuffer.wrap(value).putInt(number);
    return value;
  }

  synchronized void add(DdpEvent event, byte[] value) {
    events.add(event);
    if (value != null && event.clock() != 0) {
      written.put(event.clock(), value);
    }
  }

  /** What was read must be what was written. */
  synchronized void addRead(DdpEvent event, Write read) {
    events.add(event);
    if (read != null) {
      reads.put(event, read);
    }
  }

  private final Map<DdpEvent, Write> reads = new HashMap<>();

  synchronized int size() {
    return events.size();
  }

  /** All nodes had lost power, and serve again with what a node has now. */
  void recovered(HostedMaps node) throws InterruptedException {
    Map<Integer, Long> state = state(node);
    synchronized (this) {
      recoveries.add(new DdpJudge.Recovery(System.nanoTime(), state));
    }
  }

  /** The clocks of all keys at a node. */
  Map<Integer, Long> state(HostedMaps node) throws InterruptedException {
    try {
      return node.ask(
              map,
              replica -> {
                Map<Integer, Long> state = new TreeMap<>();
                for (int key = 0; key < keys; key++) {
                  Write write = replica.peek(key(key));
                  state.put(key, write == null ? 0L : write.clock());
                }
                return state;
              })
          .get(60, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(map + " does not say what it has", e);
    }
  }

  synchronized DdpVerdict judge(List<Map<Integer, Long>> states, int crashes) {
    reads.forEach(
        (event, read) -> {
          byte[] value = written.get(read.clock());
          if (value == null || !Arrays.equals(value, read.value())) {
            foreign.add(event + " has read what nobody has written: " + read);
          }
        });
    DdpVerdict verdict = new DdpJudge(map.model(), events, recoveries, crashes).judge(states);
    List<String> broken = new ArrayList<>(verdict.broken());
    broken.addAll(foreign);
    return new DdpVerdict(broken, verdict.missed(), verdict.operations(), verdict.aborted());
  }

  /** All that is known, a line for each thing. */
  synchronized String describe() {
    StringBuilder text = new StringBuilder(map + " had\n");
    events.forEach(event -> text.append("  ").append(event).append('\n'));
    recoveries.forEach(recovery -> text.append("  ").append(recovery).append('\n'));
    return text.toString();
  }
}
