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
package org.orcagrid.ddp.worker;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.orcagrid.ddp.transport.Endpoint;

/**
 * One engine's way to its counterparts: the packets that it is filling. Of the worker's thread.
 *
 * <p>An endpoint has one buffer to fill for each peer, so it is one engine's at a time. Another one
 * that wants it has the packet sent as it is. While a link is full its engines take turns: none has
 * two packets in a row while another one that was refused has had none.
 */
public final class Packets {
  /** There is no room for what was to be sent. */
  public static final int NO_ROOM = -1;

  /** What the engines of a worker share. */
  static final class Link {
    private final Endpoint endpoint;
    private final int nodes;
    private Packets[] engines = {};

    Link(Endpoint endpoint, int nodes) {
      this.endpoint = endpoint;
      this.nodes = nodes;
    }

    /** The way of one more engine. */
    Packets open() {
      Packets next = new Packets(this);
      engines = Arrays.copyOf(engines, engines.length + 1);
      engines[engines.length - 1] = next;
      return next;
    }
  }

  private final Link link;
  private final Endpoint endpoint;

  /** That of the engine, as {@link PacketHeader} has it. */
  private int part;

  /** By peer: the endpoint's buffer while it is this engine's, else null. */
  private final ByteBuffer[] packets;

  private final int[] filled;

  /** By peer: whether this engine was refused a packet, and has had none since. */
  private final boolean[] refused;

  /** By peer: whether this engine was the last one to have a packet. */
  private final boolean[] hadLast;

  private boolean refusedAny;

  private Packets(Link link) {
    this.link = link;
    this.endpoint = link.endpoint;
    this.packets = new ByteBuffer[link.nodes];
    this.filled = new int[link.nodes];
    this.refused = new boolean[link.nodes];
    this.hadLast = new boolean[link.nodes];
  }

  // --- for the engine ----------------------------------------------------------------------------

  /** The most bytes that can be claimed of a packet. */
  public int bytesMax() {
    return endpoint.packetBytesMax() - PacketHeader.BYTES;
  }

  /**
   * Makes room behind what is in the packet to a peer, or behind the header of its next one. To be
   * filled before this engine does anything else.
   *
   * @return where in the {@link #buffer}, {@link #NO_ROOM} if the peer takes nothing at present
   */
  public int claim(int peer, int bytes) {
    if (packets[peer] != null && filled[peer] + bytes > endpoint.packetBytesMax()) {
      send(peer);
    }
    if (!hasPacket(peer)) {
      return NO_ROOM;
    }
    if (filled[peer] == 0) {
      if (bytes > bytesMax()) {
        throw new IllegalArgumentException(bytes + " bytes do not fit into a packet");
      }
      PacketHeader.put(packets[peer], part);
      filled[peer] = PacketHeader.BYTES;
    }
    int at = filled[peer];
    filled[peer] += bytes;
    return at;
  }

  /** The packet that was {@linkplain #claim claimed} last for a peer. */
  public ByteBuffer buffer(int peer) {
    return packets[peer];
  }

  /** Whether there is a packet to be filled for a peer; it gets one if it can. */
  public boolean hasPacket(int peer) {
    return packets[peer] != null || take(peer);
  }

  /** How many bytes are in the packet to a peer. */
  public int filled(int peer) {
    return filled[peer];
  }

  /** Whether so much is on its way to a peer that new work had better wait. */
  public boolean isCrowded(int peer) {
    return endpoint.isCrowded(peer);
  }

  /** Sends the packet to a peer, in which there is something. */
  public void send(int peer) {
    endpoint.send(peer, filled[peer]);
    packets[peer] = null;
    filled[peer] = 0;
  }

  private boolean take(int peer) {
    ByteBuffer free = isOthersTurn(peer) ? null : takeFree(peer);
    if (free == null) {
      refused[peer] = true;
      refusedAny = true;
      return false;
    }
    for (Packets each : link.engines) {
      each.hadLast[peer] = false;
    }
    hadLast[peer] = true;
    refused[peer] = false;
    packets[peer] = free;
    return true;
  }

  private boolean isOthersTurn(int peer) {
    if (hadLast[peer]) {
      for (Packets each : link.engines) {
        if (each != this && each.refused[peer]) {
          return true;
        }
      }
    }
    return false;
  }

  private ByteBuffer takeFree(int peer) {
    for (Packets each : link.engines) {
      if (each.packets[peer] != null) {
        each.giveUp(peer);
      }
    }
    return endpoint.claim(peer);
  }

  private void giveUp(int peer) {
    if (filled[peer] > 0) {
      send(peer);
    } else {
      packets[peer] = null;
    }
  }

  // --- for the worker ----------------------------------------------------------------------------

  void part(int number) {
    part = number;
  }

  /** Whether this engine was refused a packet since its {@linkplain #beginTurn turn} has begun. */
  boolean wasRefused() {
    return refusedAny;
  }

  /** It is the engine's turn to say what it wants: others need not wait for what it wanted. */
  void beginTurn() {
    if (refusedAny) {
      refusedAny = false;
      Arrays.fill(refused, false);
    }
  }
}
