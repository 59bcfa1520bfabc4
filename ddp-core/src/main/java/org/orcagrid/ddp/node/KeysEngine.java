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
package org.orcagrid.ddp.node;

import java.nio.ByteBuffer;
import org.orcagrid.ddp.kite.ProtocolNode;
import org.orcagrid.ddp.worker.Engine;
import org.orcagrid.ddp.worker.PacketHeader;
import org.orcagrid.ddp.worker.Packets;
import org.orcagrid.ddp.worker.Worker;

/**
 * The keys at a worker: none before a node's first view, and others when what they hold begins
 * anew.
 */
final class KeysEngine implements Engine {
  private static final long SLEEP_NANOS_MAX = 50_000_000;

  private final Worker worker;
  private final Packets packets;
  private final Keys.Listener listener;

  /** Set by the worker's thread; null while there are no keys. */
  private volatile ProtocolEngine engine;

  private boolean isServing;

  /** The last view that a purge view was asked for; one worker asks for all. */
  private int purgeWanted;

  /** The last view that the node was refreshed since, as a place left. */
  private int refreshed;

  /** Of the worker's thread: what comes after its end is ended at once. */
  private boolean ended;

  KeysEngine(Worker worker, Packets packets, ProtocolNode first, Keys.Listener listener) {
    this.worker = worker;
    this.packets = packets;
    this.listener = listener;
    this.engine = first == null ? null : new ProtocolEngine(first, worker, packets);
  }

  /** Goes on with other keys; what is under way has an unknown outcome. Any thread. */
  void turnTo(ProtocolNode next) {
    worker.execute(
        () -> {
          ProtocolEngine last = engine;
          isServing = false;
          engine = new ProtocolEngine(next, worker, packets);
          if (ended) {
            engine.end();
          }
          if (last != null) {
            last.endAsLost();
          }
        });
  }

  LocalSession openSession(int depth) {
    ProtocolEngine now = engine;
    return now == null ? null : now.openSession(depth);
  }

  /** Whether these keys are here, and no earlier ones. */
  boolean hasTurnedTo(ProtocolNode keys) {
    ProtocolEngine now = engine;
    return now != null && now.isOf(keys);
  }

  Throwable failure() {
    return worker.failure();
  }

  long slowReleases() {
    ProtocolEngine now = engine;
    return now == null ? 0 : now.slowReleases();
  }

  /** Of the keys that are here now. */
  long droppedMessages() {
    ProtocolEngine now = engine;
    return now == null ? 0 : now.droppedMessages();
  }

  int freeSessions() {
    ProtocolEngine now = engine;
    return now == null ? 0 : now.freeSessions();
  }

  @Override
  public int part() {
    return PacketHeader.KEYS;
  }

  @Override
  public void onPacket(int from, ByteBuffer packet, int length, long nowNanos) {
    ProtocolEngine now = engine;
    // One that comes before this node's view is as good as lost: it is sent again.
    if (now != null) {
      now.onPacket(from, packet, length, nowNanos);
    }
  }

  @Override
  public int work(long nowNanos) {
    ProtocolEngine now = engine;
    if (now == null) {
      return 0;
    }
    if (!isServing && now.isServing()) {
      isServing = true;
      listener.onServing();
    }
    if (worker.number() == 0) {
      lookForPurge(now.purgeWanted());
      lookForRefresh(now.refreshed());
    }
    return now.work(nowNanos);
  }

  private void lookForPurge(int inView) {
    if (inView != purgeWanted) {
      purgeWanted = inView;
      if (inView != 0) {
        listener.onPurgeWanted(inView);
      }
    }
  }

  private void lookForRefresh(int since) {
    if (since != refreshed) {
      refreshed = since;
      listener.onRefreshed(since);
    }
  }

  @Override
  public void flush() {
    ProtocolEngine now = engine;
    if (now != null) {
      now.flush();
    }
  }

  @Override
  public long sleepNanosMax() {
    ProtocolEngine now = engine;
    return now == null ? SLEEP_NANOS_MAX : now.sleepNanosMax();
  }

  @Override
  public void end(Throwable reason, boolean inOrder) {
    ended = true;
    ProtocolEngine now = engine;
    if (now != null) {
      now.end();
    }
  }
}
