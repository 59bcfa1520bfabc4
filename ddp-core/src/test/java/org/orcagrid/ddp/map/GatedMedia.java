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
package org.orcagrid.ddp.map;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.ddp.durable.DurableMedium;

/**
 * Logs in memory that force nothing while the gate is closed; what was not forced does not stay.
 */
public final class GatedMedia implements MapMedia {
  private final Map<Integer, List<ByteBuffer>> logs = new HashMap<>();
  private volatile boolean open = true;

  /** From now on nothing is forced. */
  public void closeGate() {
    open = false;
  }

  /** What is asked for from now on is forced. */
  public void openGate() {
    open = true;
  }

  @Override
  public void use(long grid, int workers) {}

  @Override
  public synchronized DurableMedium open(int worker) {
    return new Gated(logs.computeIfAbsent(worker, unused -> new ArrayList<>()));
  }

  private final class Gated implements DurableMedium {
    private static final int RECORD_BYTES_MAX = 1 << 20;

    private final List<ByteBuffer> forced;
    private final List<ByteBuffer> gathered = new ArrayList<>();
    private Runnable listener = () -> {};
    private final AtomicLong durable = new AtomicLong();

    Gated(List<ByteBuffer> forced) {
      this.forced = forced;
    }

    @Override
    public int recordBytesMax() {
      return RECORD_BYTES_MAX;
    }

    @Override
    public long append(ByteBuffer record) {
      ByteBuffer copy = ByteBuffer.allocate(record.remaining());
      gathered.add(copy.put(record.duplicate()).flip());
      return durable.get() + gathered.size();
    }

    @Override
    public void force() {
      if (open) {
        forced.addAll(gathered);
        durable.addAndGet(gathered.size());
        gathered.clear();
        listener.run();
      }
    }

    @Override
    public long durable() {
      return durable.get();
    }

    @Override
    public void onProgress(Runnable told) {
      listener = told;
    }

    @Override
    public Throwable failure() {
      return null;
    }

    @Override
    public void replay(Replay replay) {
      for (ByteBuffer each : forced) {
        replay.onRecord(durable.incrementAndGet(), each.duplicate());
      }
    }

    @Override
    public void trim(long position) {}

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() throws IOException {
      force();
      if (!gathered.isEmpty()) {
        throw new IOException("Not everything that was appended is durable");
      }
    }
  }
}
