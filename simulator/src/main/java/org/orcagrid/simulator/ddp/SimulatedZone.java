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
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.zone.ZoneMemory;
import org.orcagrid.simulator.Simulation;

/**
 * Memory that a peer writes to. What it has flushed, and what the owner has persisted, outlives a
 * loss of power; of the rest any eight bytes may, or not.
 */
final class SimulatedZone implements ZoneMemory {
  static final int BYTES = 1024;
  private static final int LINE_BYTES = 64;

  private final ByteBuffer now = buffer();
  private final ByteBuffer durable = buffer();
  private final List<Range> unflushed = new ArrayList<>();

  private record Range(int at, int bytes) {}

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public ByteBuffer bytes() {
    return now;
  }

  @Override
  public void persist(int at, int bytes) {
    int from = at / LINE_BYTES * LINE_BYTES;
    int to = (at + bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    durable.put(from, now, from, to - from);
  }

  /** What a peer writes arrives. */
  void write(int at, ByteBuffer written) {
    now.put(at, written, 0, written.limit());
    unflushed.add(new Range(at, written.limit()));
  }

  /** What a peer has written becomes durable. */
  void flush() {
    unflushed.forEach(range -> persist(range.at(), range.bytes()));
    unflushed.clear();
  }

  void crash(Simulation simulation) {
    for (int at = 0; at < BYTES; at += Long.BYTES) {
      if (now.getLong(at) != durable.getLong(at) && simulation.random().nextBoolean()) {
        durable.putLong(at, now.getLong(at));
      }
    }
    now.put(0, durable, 0, BYTES);
    unflushed.clear();
  }

  /** What a loss of power would leave at least. */
  ZoneMemory durable() {
    SimulatedZone left = new SimulatedZone();
    left.now.put(0, durable, 0, BYTES);
    return left;
  }

  /** What was on the node is gone. */
  void lose() {
    now.put(0, buffer(), 0, BYTES);
    durable.put(0, buffer(), 0, BYTES);
    unflushed.clear();
  }
}
