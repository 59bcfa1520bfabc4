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

import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.wire.Message;

/**
 * A follower: brings its sessions' writes to the leader, acknowledges proposals in their order, one
 * acknowledgement for all of a batch, and applies what is committed.
 *
 * <p>A proposal after a gap is thrown away; the leader sends all of them again from the gap on.
 */
final class ZabFollower implements Role {
  private final ZabContext context;
  private final ZabLog log;
  private final OwnWrites own;

  private long committed;

  /** The last of this node's writes that has come back as a proposal. */
  private long proposed;

  /** The last of this node's writes that was sent to the leader, with all before it. */
  private long sent;

  private boolean owesAck;
  private long writeNanos;
  private long commitNanos;

  ZabFollower(ZabContext context) {
    this.context = context;
    this.log = context.log;
    this.own = context.own;
  }

  @Override
  public boolean beginWrite(ZabSession session) {
    if (own.last() == proposed) {
      writeNanos = context.now();
    }
    long number = own.add(session);
    // What finds no room now follows when there is some, in its order.
    if (sent == number - 1 && sendWrite(number)) {
      sent = number;
    }
    return true;
  }

  private boolean sendWrite(long number) {
    ZabSession session = own.at(number);
    Message write =
        context.message(
            ZabSettings.LEADER, ZabMessage.WRITE, session.key.length(), session.value.length());
    if (write == null) {
      return false;
    }
    write.id(number);
    write.buffer().put(write.keyAt(), session.key.buffer(), 0, session.key.length());
    ZabContext.fillValue(write, session.value);
    return true;
  }

  @Override
  public void onMessage(int from, ZabMessage kind, Message message) {
    switch (kind) {
      case PROPOSAL -> onProposal(message);
      case COMMIT -> onCommit(message.id());
      default -> {
        // Nothing that a follower is asked.
      }
    }
  }

  private void onProposal(Message proposal) {
    long zxid = proposal.id();
    // Also if it is here already: the acknowledgement may have been lost.
    owesAck = true;
    if (zxid <= log.received() || !log.hasRoom(zxid, log.applied())) {
      return;
    }
    if (zxid != log.received() + 1) {
      if (context.keeps(ZabRule.NO_GAP)) {
        return;
      }
      log.skipTo(zxid - 1);
    }
    if (log.received() == log.applied()) {
      commitNanos = context.now();
    }
    log.append(proposal.session(), proposal.clock(), proposal);
    if (proposal.session() == context.settings.self()) {
      onOwnProposal(zxid, proposal.clock());
    }
    context.applyTo(committed);
  }

  private void onOwnProposal(long zxid, long number) {
    Invariant.check(
        number == proposed + 1 || !context.keeps(ZabRule.NO_GAP),
        "a node's writes are proposed in its order, each once",
        "number",
        number,
        "last",
        proposed);
    proposed = number;
    sent = Math.max(sent, proposed);
    writeNanos = context.now();
    if (!context.endsWhenApplied) {
      context.endOwn(zxid, true);
    }
  }

  private void onCommit(long zxid) {
    if (zxid > committed) {
      committed = zxid;
      commitNanos = context.now();
      context.applyTo(committed);
    }
  }

  @Override
  public void poll() {
    long resend = context.settings.resendNanos();
    if (log.received() > log.applied() && context.now() - commitNanos >= resend) {
      commitNanos = context.now();
      owesAck = true;
    }
    if (owesAck) {
      acknowledge();
    }
    if (sent > proposed && context.now() - writeNanos >= resend) {
      writeNanos = context.now();
      sent = proposed;
    }
    int most = ZabContext.SENT_AT_ONCE_MAX;
    while (sent < own.last() && most-- > 0 && sendWrite(sent + 1)) {
      sent++;
    }
  }

  private void acknowledge() {
    Message ack = context.message(ZabSettings.LEADER, ZabMessage.ACK, 0, Message.NO_VALUE);
    if (ack != null) {
      ack.id(log.received()).clock(committed);
      owesAck = false;
    }
  }

  @Override
  public boolean isBusy() {
    return own.last() > proposed || log.received() > log.applied();
  }
}
