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

import java.nio.ByteBuffer;
import java.util.List;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.ddp.worker.Engine;
import org.orcagrid.ddp.worker.Frames;
import org.orcagrid.ddp.worker.PacketHeader;
import org.orcagrid.ddp.worker.Packets;
import org.orcagrid.ddp.worker.Worker;

/**
 * Sends and takes beats beside the workers, which may have to wait for a disk: a node that lives
 * keeps its lease meanwhile. It watches the workers, and tells the membership how long one of them
 * has done nothing.
 */
final class BeatsEngine implements Engine {
  private static final long SLEEP_NANOS_MAX = 10_000_000;

  /** A thread that has not looked for longer has stood still itself, and cannot tell. */
  private static final long BETWEEN_LOOKS_NANOS_MAX = 100_000_000;

  private final Views membership;
  private final Frames[] frames;
  private final Beats beats;

  // By the worker that is watched.

  private final List<Worker> workers;
  private final long[] progress;
  private final long[] stoodNanos;
  private long watchedNanos;

  /**
   * An engine of beats.
   *
   * @param beside whose thread it has
   * @param workers that are watched
   */
  BeatsEngine(
      Worker beside, Packets packets, MapSizes sizes, Views membership, List<Worker> workers) {
    this.membership = membership;
    this.frames = Frames.toPeers(packets, sizes.nodes(), sizes.self());
    this.beats = Beats.dropping(membership, frames, beside.nowNanos());
    this.workers = workers;
    this.progress = new long[workers.size()];
    this.stoodNanos = new long[workers.size()];
    this.watchedNanos = beside.nowNanos();
  }

  @Override
  public int part() {
    return PacketHeader.MAPS;
  }

  @Override
  public void onPacket(int from, ByteBuffer packet, int length, long nowNanos) {
    frames[from].receive(
        packet,
        length,
        (map, bytes) -> {
          if (map != Beats.FRAMES) {
            throw new MalformedPacketException("A frame of map " + map + " among beats");
          }
          membership.onBeat(from, BeatCodec.decode(bytes));
        });
  }

  @Override
  public int work(long nowNanos) {
    beats.look(nowNanos, watch(nowNanos));
    return 0;
  }

  /** How long the worker has done nothing that has stood longest. */
  private long watch(long nowNanos) {
    long passed = Math.min(nowNanos - watchedNanos, BETWEEN_LOOKS_NANOS_MAX);
    watchedNanos = nowNanos;
    long longest = 0;
    for (int i = 0; i < progress.length; i++) {
      long seen = workers.get(i).progress();
      stoodNanos[i] = seen == progress[i] ? stoodNanos[i] + passed : 0;
      progress[i] = seen;
      longest = Math.max(longest, stoodNanos[i]);
    }
    return longest;
  }

  @Override
  public void flush() {
    for (Frames each : frames) {
      if (each != null) {
        each.flush();
      }
    }
  }

  @Override
  public long sleepNanosMax() {
    return SLEEP_NANOS_MAX;
  }

  @Override
  public void end(Throwable reason, boolean inOrder) {
    // Nobody waits for it.
  }
}
