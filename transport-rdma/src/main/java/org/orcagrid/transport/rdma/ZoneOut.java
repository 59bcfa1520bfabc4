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
package org.orcagrid.transport.rdma;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.impl.NatIbvMr;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.orcagrid.ddp.zone.Zones;

/**
 * The way into a peer's zone, for one life of it. Writes are not signalled; a flush is a read that
 * follows them, and whose completion says that they have been executed before (see docs/rdma.md for
 * what that is worth on which host).
 */
final class ZoneOut implements AutoCloseable {
  /** Requests under way at most. */
  static final int REQUESTS_MAX = 512;

  /** One place is left for a flush. */
  private static final int WRITES_MAX = REQUESTS_MAX - 1;

  private static final int READ_BYTES = 8;

  private final ZoneHello zone;
  private final ByteBuffer copy;
  private final NatIbvMr region;
  private final long regionId;
  private final long queue;
  private boolean ready;

  private long posted;
  private long done;

  // Flushes under way, the oldest at the head: up to where, and after how many requests.
  private final long[] positions = new long[REQUESTS_MAX];
  private final long[] after = new long[REQUESTS_MAX];
  private int head;
  private int flushes;

  /**
   * A way that is not ready yet.
   *
   * @param copy of as many bytes as the zone
   */
  ZoneOut(RdmaDevice device, long completions, PeerHello peer, ZoneHello zone, ByteBuffer copy)
      throws IOException {
    this.zone = zone;
    this.copy = copy;
    RdmaVerbs verbs = RdmaVerbs.open();
    this.region =
        (NatIbvMr)
            verbs
                .regMr(device.domain(), copy, IbvMr.IBV_ACCESS_LOCAL_WRITE)
                .execute()
                .free()
                .getMr();
    this.regionId = region.getObjId();
    long created = 0;
    try {
      created =
          Verbs.createReliableQueue(
              device.domain().getObjId(), completions, device.port(), REQUESTS_MAX);
      Verbs.connectQueue(
          created,
          device.port(),
          device.gidIndex(),
          peer.gid().direct(),
          peer.lid(),
          zone.queue(),
          Math.min(peer.mtuBytes(), device.info().mtuBytes()));
    } catch (IOException e) {
      if (created != 0) {
        Verbs.destroyQueue(created);
      }
      verbs.deregMr(region).execute().free();
      throw e;
    }
    this.queue = created;
  }

  long life() {
    return zone.life();
  }

  int number() throws IOException {
    return Verbs.queueNumber(queue);
  }

  ByteBuffer copy() {
    return copy;
  }

  /** Whether the owner has said that it is connected. */
  boolean isReady() {
    return ready;
  }

  void setReady() {
    ready = true;
  }

  boolean hasRoom() {
    // A record that goes round the end of the ring takes two.
    return posted - done + 2 <= WRITES_MAX;
  }

  void write(int at, int bytes, long id) throws IOException {
    posted++;
    Verbs.postOneSided(queue, regionId, false, at, bytes, remote(at), zone.key(), false, id);
  }

  private long remote(int at) {
    return zone.address() + at - Zones.RING_AT;
  }

  /**
   * Reads from the ring after all that was written; the copy's header, which is nobody's, takes it.
   */
  void flush(long position, long id) throws IOException {
    posted++;
    int last = (head + flushes++) % REQUESTS_MAX;
    positions[last] = position;
    after[last] = posted;
    Verbs.postOneSided(
        queue, regionId, true, 0, READ_BYTES, remote(Zones.RING_AT), zone.key(), true, id);
  }

  /** A flush is done, the oldest that was under way; its position. */
  long onFlushed() {
    long position = positions[head];
    done = after[head];
    head = (head + 1) % REQUESTS_MAX;
    flushes--;
    return position;
  }

  @Override
  public void close() throws IOException {
    Verbs.destroyQueue(queue);
    RdmaVerbs.open().deregMr(region).execute().free();
  }
}
