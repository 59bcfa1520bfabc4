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
package org.orcagrid.ddp.zone;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory that forgets all that was not persisted when it is {@linkplain #afterPowerCut cut off}.
 */
public final class TestMemory implements ZoneMemory {
  private final ByteBuffer now;
  private final ByteBuffer durable;

  /** So many bytes, all of them zero. */
  public TestMemory(int bytes) {
    now = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    durable = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public ByteBuffer bytes() {
    return now;
  }

  @Override
  public void persist(int at, int bytes) {
    durable.put(at, now, at, bytes);
  }

  TestMemory afterPowerCut() {
    TestMemory left = new TestMemory(now.limit());
    left.now.put(0, durable, 0, now.limit());
    left.durable.put(0, durable, 0, now.limit());
    return left;
  }
}
