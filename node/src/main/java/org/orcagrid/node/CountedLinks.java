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
package org.orcagrid.node;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.transport.tcp.LinkListener;

/** Counts a node's links, and tells another listener of them. Safe for use by many threads. */
public final class CountedLinks implements LinkListener {
  private final LinkListener listener;
  private final Set<Link> up = ConcurrentHashMap.newKeySet();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong badPackets = new AtomicLong();

  private record Link(int peer, int worker) {}

  CountedLinks(LinkListener listener) {
    this.listener = listener;
  }

  /** How many peers there is a link to. */
  public int peers() {
    return (int) up.stream().mapToInt(Link::peer).distinct().count();
  }

  /** Links that were lost: a node has several to each other one. */
  public long lost() {
    return lost.get();
  }

  /** Packets that were damaged, or that no node can have sent. */
  public long badPackets() {
    return badPackets.get();
  }

  @Override
  public void onTransport(String which) {
    listener.onTransport(which);
  }

  @Override
  public void onUp(int peer, int worker) {
    up.add(new Link(peer, worker));
    listener.onUp(peer, worker);
  }

  @Override
  public void onDown(int peer, int worker, String reason) {
    // Clients have no links; one that never was is not lost.
    if (up.remove(new Link(peer, worker))) {
      lost.incrementAndGet();
    }
    listener.onDown(peer, worker, reason);
  }

  @Override
  public void onBadPacket(int peer, int worker, String reason) {
    badPackets.incrementAndGet();
    listener.onBadPacket(peer, worker, reason);
  }

  @Override
  public void onRefused(String address, String reason) {
    listener.onRefused(address, reason);
  }
}
