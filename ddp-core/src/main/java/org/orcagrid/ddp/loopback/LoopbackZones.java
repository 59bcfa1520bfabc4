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
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import org.orcagrid.ddp.zone.ZoneMemory;
import org.orcagrid.ddp.zone.Zones;

/** Zones of nodes in one JVM: what is written is there at once, and durable when it is flushed. */
final class LoopbackZones implements Zones {
  private final int self;
  private final List<ZoneMemory> zones;
  private final Listener listener;

  /** Those of a peer; null if it has none. */
  private final IntFunction<LoopbackZones> peers;

  /** What the listener is to be told when it is polled. */
  private final ConcurrentLinkedQueue<Runnable> news = new ConcurrentLinkedQueue<>();

  /** The life in which each peer may write here; 0 if it may not. Guarded by this. */
  private final long[] admitted;

  // Of the worker's thread.
  private final ByteBuffer[] copies;
  private final long[] lives;

  LoopbackZones(
      int self, List<ZoneMemory> zones, Listener listener, IntFunction<LoopbackZones> peers) {
    this.self = self;
    this.zones = zones;
    this.listener = listener;
    this.peers = peers;
    this.admitted = new long[zones.size()];
    this.copies = new ByteBuffer[zones.size()];
    this.lives = new long[zones.size()];
  }

  @Override
  public void admit(int peer, long life) {
    LoopbackZones to = peers.apply(peer);
    if (to == null) {
      return;
    }
    int bytes = zones.get(peer).bytes().limit();
    synchronized (this) {
      admitted[peer] = life;
    }
    to.news.add(() -> to.admittedBy(self, life, bytes));
  }

  private void admittedBy(int peer, long life, int bytes) {
    lives[peer] = life;
    copies[peer] = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    listener.onAdmitted(peer, life, copies[peer]);
  }

  @Override
  public synchronized void revoke(int peer) {
    admitted[peer] = 0;
  }

  @Override
  public void abandon(int peer) {
    LoopbackZones to = peers.apply(peer);
    long life = lives[peer];
    if (to != null) {
      to.news.add(() -> to.abandonedBy(self, life));
    }
  }

  private void abandonedBy(int peer, long life) {
    boolean was;
    synchronized (this) {
      was = admitted[peer] == life && life != 0;
      admitted[peer] = was ? 0 : admitted[peer];
    }
    if (was) {
      listener.onRevoked(peer);
    }
  }

  @Override
  public boolean hasRoom(int peer) {
    return true;
  }

  @Override
  public void write(int peer, int at, int bytes) {
    LoopbackZones to = peers.apply(peer);
    if (to == null || !to.take(self, lives[peer], at, copies[peer], bytes)) {
      lose(peer);
    }
  }

  private synchronized boolean take(int from, long life, int at, ByteBuffer copy, int bytes) {
    if (admitted[from] != life) {
      return false;
    }
    zones.get(from).bytes().put(at, copy, at, bytes);
    return true;
  }

  @Override
  public void flush(int peer, long position) {
    LoopbackZones to = peers.apply(peer);
    if (to != null && to.persist(self, lives[peer])) {
      news.add(() -> listener.onFlushed(peer, position));
    } else {
      lose(peer);
    }
  }

  private synchronized boolean persist(int from, long life) {
    if (admitted[from] != life) {
      return false;
    }
    ZoneMemory zone = zones.get(from);
    try {
      zone.persist(RING_AT, zone.bytes().limit() - RING_AT);
      return true;
    } catch (IllegalStateException e) {
      // Its owner is told when it uses the memory itself.
      return false;
    }
  }

  private void lose(int peer) {
    long life = lives[peer];
    news.add(
        () -> {
          if (lives[peer] == life) {
            listener.onLost(peer, null);
          }
        });
  }

  boolean hasNews() {
    return !news.isEmpty();
  }

  int poll() {
    int told = 0;
    for (Runnable each = news.poll(); each != null; each = news.poll()) {
      each.run();
      told++;
    }
    return told;
  }
}
