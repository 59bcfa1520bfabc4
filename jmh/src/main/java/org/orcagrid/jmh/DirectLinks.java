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
package org.orcagrid.jmh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.Outbox;

/**
 * Links between nodes that one thread runs: a message is read from the buffer into which its sender
 * has written it. No packet is copied, none is lost, and nothing is allocated.
 */
public final class DirectLinks {
  private static final int LINK_BYTES = 64 << 10;

  private final int nodes;
  private final ByteBuffer[] links;
  private final int[] filled;
  private final Message received = new Message();

  /** A node that takes messages. */
  @FunctionalInterface
  public interface Receiver {
    /** A whole message from another node. */
    void onMessage(int from, Message message);
  }

  /** Links between all pairs of so many nodes. */
  public DirectLinks(int nodes) {
    this.nodes = nodes;
    this.links = new ByteBuffer[nodes * nodes];
    this.filled = new int[links.length];
    for (int link = 0; link < links.length; link++) {
      links[link] = ByteBuffer.allocateDirect(LINK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** What a node sends with. */
  public Outbox outbox(int from) {
    return (peer, bytes, into) -> {
      int link = from * nodes + peer;
      if (filled[link] + bytes > LINK_BYTES) {
        return false;
      }
      into.wrap(links[link], filled[link]);
      filled[link] += bytes;
      return true;
    };
  }

  /**
   * Hands over what is on its way from one node to another; the receiver may send meanwhile.
   *
   * @return how many messages it was
   */
  public int deliver(int from, int to, Receiver receiver) {
    int link = from * nodes + to;
    int end = filled[link];
    int messages = 0;
    for (int at = 0; at < end; at += received.bytes()) {
      received.wrap(links[link], at);
      if (!received.isWhole(end)) {
        throw new IllegalStateException("Node " + from + " has sent a message that is not whole");
      }
      receiver.onMessage(from, received);
      messages++;
    }
    filled[link] = 0;
    return messages;
  }
}
