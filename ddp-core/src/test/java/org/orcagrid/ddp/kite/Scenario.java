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
package org.orcagrid.ddp.kite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;

/**
 * A few nodes with one worker each, whose messages wait in links until the test lets them through,
 * one by one or all; and a clock that the test moves.
 */
final class Scenario {
  static final long RELEASE_NANOS = 1_000;
  static final long ABSENT = -1;

  static final long RESEND_NANOS = 1_000_000_000;

  private static final int SESSIONS = 2;

  private final int nodes;
  private final Set<KiteRule> rules;
  private final List<KiteNode> machines = new ArrayList<>();
  private final List<KiteWorker> workers = new ArrayList<>();
  private final List<List<Deque<ByteBuffer>>> links = new ArrayList<>();
  private long nowNanos = 1;

  Scenario(int nodes, Set<KiteRule> rules) {
    this(KiteView.first(nodes), rules);
  }

  /** Nodes that begin in a view and keep all rules. */
  Scenario(KiteView view) {
    this(view, KiteRule.all());
  }

  private Scenario(KiteView view, Set<KiteRule> rules) {
    this.nodes = view.joined().size();
    this.rules = rules;
    for (int node = 0; node < nodes; node++) {
      machines.add(machine(node, view));
      workers.add(worker(node, machines.get(node)));
      List<Deque<ByteBuffer>> outgoing = new ArrayList<>();
      for (int peer = 0; peer < nodes; peer++) {
        outgoing.add(new ArrayDeque<>());
      }
      links.add(outgoing);
    }
  }

  private KiteNode machine(int node, KiteView view) {
    KiteSettings settings =
        new KiteSettings(
            nodes, node, 1, SESSIONS, 16, new KiteSettings.Times(RELEASE_NANOS, RESEND_NANOS, 100));
    ReplicaStore store = new ReplicaStore(new ReplicaStore.Limits(64, 1024, 1 << 20), 16);
    return new KiteNode(settings, store, view, rules);
  }

  private KiteWorker worker(int node, KiteNode machine) {
    return new KiteWorker(
        machine, 0, (peer, bytes, into) -> claim(node, peer, bytes, into), session -> {});
  }

  /**
   * A node is lost; another one begins at its place, and nothing of the old one arrives any more.
   */
  KiteView follow(int node) {
    KiteView view = machines.get(node).view().withNewNode(node);
    begin(node, view);
    return view;
  }

  /** A node begins at a place, with nothing; what was under way to or from the old one is lost. */
  void begin(int node, KiteView view) {
    dropAll(node);
    machines.set(node, machine(node, view));
    workers.set(node, worker(node, machines.get(node)));
  }

  private boolean claim(int from, int peer, int bytes, Message into) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    links.get(from).get(peer).add(buffer);
    into.wrap(buffer, 0);
    return true;
  }

  KiteNode machine(int node) {
    return machines.get(node);
  }

  KiteWorker worker(int node) {
    return workers.get(node);
  }

  KiteSession session(int node, int slot) {
    KiteSession session = workers.get(node).session(slot);
    if (session.asked == null) {
      session.asked = new Operation();
    }
    return session;
  }

  /** Begins a read or an acquire. */
  KiteSession begin(int node, int slot, OperationKind kind, String key) {
    return begin(node, slot, kind, key, ABSENT);
  }

  /** Begins a write, a release, a swap or an add. */
  KiteSession begin(int node, int slot, OperationKind kind, String key, long value) {
    KiteSession session = session(node, slot);
    Operation asked = session.asked;
    asked.kind(kind);
    asked.key().set(key.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    if (value != ABSENT) {
      asked.value().room(Long.BYTES).putLong(0, value);
      asked.value().length(Long.BYTES);
    } else {
      asked.value().length(-1);
    }
    asked.delta(value);
    workers.get(node).begin(slot, asked, nowNanos);
    return session;
  }

  static void expect(KiteSession session, long value) {
    session.asked.expected().room(Long.BYTES).putLong(0, value);
    session.asked.expected().length(value == ABSENT ? -1 : Long.BYTES);
  }

  /** What a session has read. */
  static long result(KiteSession session) {
    return session.asked.result.length() < 0 ? ABSENT : session.asked.result.buffer().getLong(0);
  }

  /** Delivers what waits from one node to another; how many messages there were. */
  int deliver(int from, int to) {
    Deque<ByteBuffer> link = links.get(from).get(to);
    int count = 0;
    Message message = new Message();
    for (ByteBuffer next = link.poll(); next != null; next = link.poll()) {
      message.wrap(next, 0);
      if (!message.isWhole(next.capacity()) || !workers.get(to).mayBeOurs(message)) {
        throw new AssertionError("A broken message");
      }
      workers.get(to).onMessage(from, message, nowNanos);
      count++;
    }
    workers.get(to).poll(nowNanos);
    return count;
  }

  /** Loses what waits from one node to another. */
  void drop(int from, int to) {
    links.get(from).get(to).clear();
  }

  /** Takes what waits from one node to another, to be {@linkplain #putBack put back} later. */
  List<ByteBuffer> hold(int from, int to) {
    List<ByteBuffer> held = List.copyOf(links.get(from).get(to));
    drop(from, to);
    return held;
  }

  void putBack(int from, int to, List<ByteBuffer> held) {
    links.get(from).get(to).addAll(held);
  }

  /** Delivers among these nodes until nothing waits between them; the rest stays where it is. */
  void exchange(int... among) {
    boolean busy = true;
    while (busy) {
      busy = false;
      for (int node : among) {
        workers.get(node).poll(nowNanos);
      }
      for (int from : among) {
        for (int to : among) {
          busy |= from != to && deliver(from, to) > 0;
        }
      }
    }
  }

  /** Loses all that waits to or from a node. */
  void dropAll(int node) {
    for (int other = 0; other < nodes; other++) {
      drop(node, other);
      drop(other, node);
    }
  }

  /** Lets time pass: workers look some times, or it would seem that they have stood still. */
  void pass(long nanos) {
    long end = nowNanos + nanos;
    long step = Math.max(RELEASE_NANOS / 4, nanos / 8);
    while (nowNanos < end) {
      nowNanos = Math.min(end, nowNanos + step);
      workers.forEach(worker -> worker.poll(nowNanos));
    }
  }

  /** Lets time pass in which no worker looks. */
  void stand(long nanos) {
    nowNanos += nanos;
  }

  long now() {
    return nowNanos;
  }

  /** All keys. */
  static MissedKeys everything() {
    MissedKeys all = new MissedKeys();
    all.addEverything();
    return all;
  }
}
