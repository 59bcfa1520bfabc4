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
package org.orcagrid.ddp.replica.wire;

import java.util.List;
import java.util.function.IntConsumer;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.transport.MalformedPacketException;

/** This node's links to all others, and the packets that go over them. */
public final class Links {
  private final ReplicaState state;
  private final PacketSender sender;
  private final Link[] links;

  /** Whether the last packets have said that operations wait here. */
  private boolean hurries;

  /** Links to nodes that have no life yet. */
  public Links(ReplicaState state, PacketSender sender) {
    this.state = state;
    this.sender = sender;
    this.links = new Link[state.nodes()];
    for (int node = 0; node < links.length; node++) {
      links[node] = new Link();
    }
  }

  /**
   * There is another view: forgets what was under way to and from lives that are not in it, and
   * begins with those that are new in it.
   *
   * @param ended is told of each node whose life has ended or begun
   * @return the members that have joined
   */
  public int onView(IntConsumer ended) {
    ReplicaView view = state.view();
    int joined = 0;
    for (int node = 0; node < links.length; node++) {
      if (node != state.self() && links[node].peer() != view.incarnations().get(node)) {
        links[node].connect(view.incarnations().get(node));
        ended.accept(node);
        joined |= view.has(node) ? Quorum.of(node) : 0;
      }
    }
    return joined;
  }

  /**
   * The link on which a packet has come, if it is between two lives of the view; null if not.
   *
   * @throws MalformedPacketException if it has a clock that lies too far ahead
   */
  public Link of(int from, Packet packet) {
    Link link = links[from];
    boolean isOfView =
        packet.sender() == link.peer()
            && packet.receiver() == state.incarnation()
            && link.peer() != 0;
    if (isOfView) {
      packet.messages().forEach(this::requireNear);
    }
    return isOfView ? link : null;
  }

  /** No node makes a clock so far ahead: taken over, it would leave none for later writes. */
  private void requireNear(ReplicaMessage message) {
    if (!state.admits(message.clock())) {
      throw new MalformedPacketException(
          "Clock " + message.clock() + " lies too far ahead of " + state.highestClock());
    }
  }

  /** Sends a message to all other members. */
  public void broadcast(ReplicaMessage message) {
    for (int peer = 0; peer < links.length; peer++) {
      send(peer, message);
    }
  }

  /** Sends a message to a node, if it is another member. */
  public void send(int peer, ReplicaMessage message) {
    if (links[peer].peer() != 0) {
      links[peer].add(message);
    }
  }

  /**
   * Sends what is due, in packets.
   *
   * @param waits whether operations wait here, so that other nodes hold nothing back
   */
  public void flush(long nowNanos, boolean waits) {
    if (waits && !hurries) {
      for (Link link : links) {
        link.answer(true);
      }
    }
    hurries = waits;
    long resendNanos = state.settings().times().resendNanos();
    int pageBytes = state.settings().limits().pageBytes();
    for (int peer = 0; peer < links.length; peer++) {
      if (links[peer].peer() != 0) {
        List<Link.Batch> batches = links[peer].takeDue(nowNanos, resendNanos, pageBytes);
        for (int i = 0; i < batches.size(); i++) {
          Link.Batch due = batches.get(i);
          sender.send(
              peer,
              new Packet(
                  state.view().number(),
                  state.incarnation(),
                  links[peer].peer(),
                  due.first(),
                  links[peer].received(),
                  links[peer].sent(),
                  waits,
                  due.messages()));
        }
      }
    }
  }

  /**
   * Nanoseconds until {@link #flush} sends something by itself; {@link Long#MAX_VALUE} if never.
   */
  public long nanosToSend(long nowNanos) {
    long least = Long.MAX_VALUE;
    for (Link link : links) {
      least = Math.min(least, link.nanosToSend(nowNanos, state.settings().times().resendNanos()));
    }
    return least;
  }

  /** How many messages were sent to a node. */
  public long sent(int node) {
    return links[node].sent();
  }

  /** How many of them have arrived there. */
  public long arrived(int node) {
    return links[node].arrived();
  }

  /** Whether nothing is on its way from here. */
  public boolean isQuiet() {
    for (Link link : links) {
      if (link.backlog() > 0) {
        return false;
      }
    }
    return true;
  }

  /** How many messages one other node has not acknowledged, of the node with most. */
  public int backlogMax() {
    int most = 0;
    for (Link link : links) {
      most = Math.max(most, link.backlog());
    }
    return most;
  }

  /** Whether so much waits for some node that there had better not be more. */
  public boolean isCrowded() {
    for (Link link : links) {
      if (link.backlog() >= state.settings().backlogMax()) {
        return true;
      }
    }
    return false;
  }

  /** Those of each link. */
  public void checkInvariants() {
    for (Link link : links) {
      link.checkInvariants();
    }
  }
}
