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
package org.orcagrid.bench.zab;

import java.util.Set;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;
import org.orcagrid.ddp.wire.Outbox;

/** What the parts of a worker share: the time, how to send, and its sessions' writes. */
final class ZabContext {
  /** Messages that are sent later than they could be, or again, at once at most. */
  static final int SENT_AT_ONCE_MAX = 64;

  final ZabSettings settings;
  final ReplicaStore store;
  final OwnWrites own;
  final ZabLog log;

  /** Whether a write ends when this node applies it; if not, a follower's ends when it is here. */
  final boolean endsWhenApplied;

  private final Set<ZabRule> rules;
  private final Outbox outbox;
  private final ZabCompletions completions;
  private final Message message = new Message();
  private long nowNanos;

  ZabContext(
      ZabSettings settings,
      ReplicaStore store,
      Set<ZabRule> rules,
      Outbox outbox,
      ZabCompletions completions) {
    this.settings = settings;
    this.store = store;
    this.rules = rules;
    this.endsWhenApplied = settings.isLeader() || rules.contains(ZabRule.APPLIED_HERE);
    this.outbox = outbox;
    this.completions = completions;
    this.own = new OwnWrites(settings.ownWindow());
    this.log = new ZabLog(store, settings.window());
  }

  long now() {
    return nowNanos;
  }

  void now(long nanos) {
    nowNanos = nanos;
  }

  boolean keeps(ZabRule rule) {
    return rules.contains(rule);
  }

  /** Begins a message to a peer, with room for key and value; null if there is none. */
  Message message(int peer, ZabMessage kind, int keyLength, int valueLength) {
    int bytes = Message.bytes(Message.HEADER_BYTES, keyLength, valueLength);
    if (!outbox.claim(peer, bytes, message)) {
      return null;
    }
    message.begin(MessageType.OTHER, Message.HEADER_BYTES).count(kind.code());
    return message.keyLength(keyLength).valueLength(valueLength);
  }

  /** Writes a value into a message that has room for it. */
  static void fillValue(Message to, Bytes value) {
    if (value.length() > 0) {
      to.buffer().put(to.valueAt(), value.buffer(), 0, value.length());
    }
  }

  /** Applies what is committed and here, in order, and ends the writes of this node's sessions. */
  void applyTo(long committed) {
    long last = Math.min(committed, log.received());
    while (log.applied() < last) {
      boolean written = log.applyNext();
      if (endsWhenApplied && log.origin(log.applied()) == settings.self()) {
        endOwn(log.applied(), written);
      }
    }
  }

  /** The first of this node's writes under way has its place in the order. */
  void endOwn(long zxid, boolean written) {
    ZabSession session = own.poll();
    if (session != null) {
      session.zxid = zxid;
      session.done = written;
      complete(session);
    }
  }

  void complete(ZabSession session) {
    session.idle = true;
    completions.onCompleted(session);
  }
}
