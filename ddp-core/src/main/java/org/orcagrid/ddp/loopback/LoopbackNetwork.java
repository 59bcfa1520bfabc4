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
package org.orcagrid.ddp.loopback;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.zone.ZoneMemory;
import org.orcagrid.ddp.zone.Zones;

/** The nodes of one JVM. Packets arrive once and in order; a full link refuses. */
public final class LoopbackNetwork {
  // What a node sends while another one has no processor for some milliseconds.
  private static final int PACKETS = 64;
  private static final int PACKET_BYTES_MIN = 16 * 1024;

  private final int nodes;
  private final int packetBytes;
  private final LoopbackEndpoint[][] endpoints;

  /**
   * A network.
   *
   * @param messageBytesMax what must fit into a packet
   */
  public LoopbackNetwork(int nodes, int workers, int messageBytesMax) {
    this.nodes = nodes;
    this.packetBytes = Math.max(PACKET_BYTES_MIN, messageBytesMax);
    this.endpoints = new LoopbackEndpoint[nodes][workers];
    for (int node = 0; node < nodes; node++) {
      for (int worker = 0; worker < workers; worker++) {
        endpoints[node][worker] = new LoopbackEndpoint(node, worker);
      }
    }
  }

  /** The transport of a node. */
  public Transport transport(int node) {
    LoopbackEndpoint[] own = endpoints[node];
    return new Transport() {
      @Override
      public Endpoint open(int worker) {
        return own[worker];
      }

      @Override
      public void close() {
        // The network goes when nobody holds it any more.
      }
    };
  }

  private final class LoopbackEndpoint implements Endpoint {
    private final int node;
    private final int worker;

    /** What comes from each node. */
    private final LoopbackLink[] incoming = new LoopbackLink[nodes];

    private int first;

    /** Null if this node has none. */
    private volatile LoopbackZones zones;

    private volatile Thread waiting;
    private volatile boolean woken;

    private LoopbackEndpoint(int node, int worker) {
      this.node = node;
      this.worker = worker;
      for (int from = 0; from < nodes; from++) {
        incoming[from] = from == node ? null : new LoopbackLink(PACKETS, packetBytes);
      }
    }

    private LoopbackEndpoint peer(int peer) {
      return endpoints[peer][worker];
    }

    @Override
    public int packetBytesMax() {
      return packetBytes;
    }

    @Override
    public ByteBuffer claim(int peer) {
      return peer(peer).incoming[node].claim();
    }

    @Override
    public boolean isCrowded(int peer) {
      return peer(peer).incoming[node].isCrowded();
    }

    @Override
    public void send(int peer, int length) {
      LoopbackEndpoint to = peer(peer);
      to.incoming[node].send(length);
      to.unparkIfWaiting();
    }

    private void unparkIfWaiting() {
      // Orders what was published before this look at who waits; await() does it the other way.
      java.lang.invoke.VarHandle.fullFence();
      Thread thread = waiting;
      if (thread != null) {
        LockSupport.unpark(thread);
      }
    }

    @Override
    public Zones openZones(List<ZoneMemory> memories, Zones.Listener listener) {
      zones = new LoopbackZones(node, memories, listener, peer -> peer(peer).zones);
      return zones;
    }

    @Override
    public int poll(PacketHandler handler, int packetsMax) {
      LoopbackZones own = zones;
      int count = own == null ? 0 : own.poll();
      // Another link first each time, so that a busy one does not keep the others from being read.
      first = (first + 1) % nodes;
      for (int i = 0; i < nodes; i++) {
        int from = (first + i) % nodes;
        LoopbackLink link = incoming[from];
        if (link == null) {
          continue;
        }
        for (ByteBuffer packet = link.peek();
            packet != null && count < packetsMax;
            packet = link.peek()) {
          handler.onPacket(from, packet, link.peekLength());
          link.release();
          count++;
        }
      }
      return count;
    }

    private boolean isEmpty() {
      LoopbackZones own = zones;
      if (own != null && own.hasNews()) {
        return false;
      }
      for (LoopbackLink link : incoming) {
        if (link != null && link.peek() != null) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void await(long nanosMax) {
      waiting = Thread.currentThread();
      if (!woken && isEmpty()) {
        LockSupport.parkNanos(this, nanosMax);
      }
      waiting = null;
      woken = false;
    }

    @Override
    public void wakeUp() {
      if (!woken) {
        woken = true;
        unparkIfWaiting();
      }
    }

    @Override
    public void close() {
      // Nothing to give back.
    }
  }
}
