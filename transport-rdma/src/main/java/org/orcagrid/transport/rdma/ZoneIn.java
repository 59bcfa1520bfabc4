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
import com.ibm.disni.verbs.impl.NatIbvPd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.orcagrid.ddp.zone.Zones;

/**
 * What lets one peer write into one zone, for one life of it: a protection domain, a key for the
 * memory behind the zone's header, and a queue pair, which nobody else has. When it is closed the
 * key is nobody's, and nothing arrives any more.
 */
final class ZoneIn implements AutoCloseable {
  private final RdmaDevice device;
  private final long life;
  private final int zoneBytes;
  private final NatIbvPd domain;
  private final NatIbvMr region;
  private final long queue;
  private int remote;

  ZoneIn(RdmaDevice device, long completions, ByteBuffer zone, long life) throws IOException {
    this.device = device;
    this.life = life;
    this.zoneBytes = zone.limit();
    RdmaVerbs verbs = RdmaVerbs.open();
    this.domain = (NatIbvPd) device.disni().allocPd();
    NatIbvMr registered = null;
    try {
      ByteBuffer ring =
          zone.slice(Zones.RING_AT, zone.limit() - Zones.RING_AT).order(ByteOrder.nativeOrder());
      registered =
          (NatIbvMr)
              verbs
                  .regMr(
                      domain,
                      ring,
                      IbvMr.IBV_ACCESS_LOCAL_WRITE
                          | IbvMr.IBV_ACCESS_REMOTE_WRITE
                          | IbvMr.IBV_ACCESS_REMOTE_READ)
                  .execute()
                  .free()
                  .getMr();
      this.queue = Verbs.createReliableQueue(domain.getObjId(), completions, device.port(), 1);
    } catch (IOException e) {
      if (registered != null) {
        verbs.deregMr(registered).execute().free();
      }
      verbs.deallocPd(domain);
      throw e;
    }
    this.region = registered;
  }

  long life() {
    return life;
  }

  int number() throws IOException {
    return Verbs.queueNumber(queue);
  }

  int key() {
    return region.getRkey();
  }

  long address() {
    return region.getAddr();
  }

  int zoneBytes() {
    return zoneBytes;
  }

  /** Whether the peer is connected. */
  boolean isConnected() {
    return remote != 0;
  }

  /** Lets in the peer's queue pair of this number, at this address. */
  void connect(PeerHello peer, int number) throws IOException {
    Verbs.connectQueue(
        queue,
        device.port(),
        device.gidIndex(),
        peer.gid().direct(),
        peer.lid(),
        number,
        Math.min(peer.mtuBytes(), device.info().mtuBytes()));
    remote = number;
  }

  @Override
  public void close() throws IOException {
    Verbs.destroyQueue(queue);
    RdmaVerbs verbs = RdmaVerbs.open();
    verbs.deregMr(region).execute().free();
    verbs.deallocPd(domain);
  }
}
