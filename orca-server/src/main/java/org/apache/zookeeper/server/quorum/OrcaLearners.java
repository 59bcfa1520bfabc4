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
package org.apache.zookeeper.server.quorum;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.orcagrid.cad.FlushRounds;
import org.orcagrid.cad.LeaderDurability;
import org.orcagrid.server.wire.PeerMessage;
import org.orcagrid.server.wire.PeerMessageCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A leader's learners that are ORCA as well, and how they are spoken to. A learner may connect
 * again before its old connection is read to the end: what that still says is of a part that has
 * ended, and counts for nothing once the new one has said hello.
 *
 * <p>Safe for use by many threads.
 */
final class OrcaLearners {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaLearners.class);

  /** By server: the connection that began to synchronise last. */
  private final Map<Long, LearnerHandler> newest = new ConcurrentHashMap<>();

  /** By server: the connection that said hello last. */
  private final Map<Long, LearnerHandler> greeted = new ConcurrentHashMap<>();

  /**
   * The learners that report what they have persisted apart from what they acknowledge. One that is
   * removed stays in here until it connects again: its last acknowledgements may still be read.
   */
  private final Set<Long> reporting = ConcurrentHashMap.newKeySet();

  /** A learner begins to synchronise; until it says hello, what it acknowledges it has forced. */
  void onSynchronising(LearnerHandler learner) {
    newest.put(learner.getSid(), learner);
    reporting.remove(learner.getSid());
  }

  /** Returns false if the learner has connected anew since: then this is of an old connection. */
  boolean onHello(LearnerHandler learner) {
    if (newest.get(learner.getSid()) != learner) {
      return false;
    }
    reporting.add(learner.getSid());
    greeted.put(learner.getSid(), learner);
    return true;
  }

  /** Returns whether it was the connection that counts. */
  boolean onGone(LearnerHandler learner) {
    newest.remove(learner.getSid(), learner);
    return greeted.remove(learner.getSid(), learner);
  }

  /** Whether the learner has not begun to synchronise on another connection since. */
  boolean isNewest(LearnerHandler learner) {
    return newest.get(learner.getSid()) == learner;
  }

  /** Whether what is read from this connection counts. */
  boolean isCurrent(LearnerHandler learner) {
    return greeted.get(learner.getSid()) == learner;
  }

  /** Whether a learner reports what it has persisted apart from what it acknowledges. */
  boolean reports(long sid) {
    return reporting.contains(sid);
  }

  void broadcast(PeerMessage message) {
    broadcast(message, sid -> true);
  }

  void broadcast(PeerMessage message, LongPredicate to) {
    byte[] bytes = PeerMessageCodec.encode(message);
    greeted.forEach(
        (sid, learner) -> {
          if (to.test(sid)) {
            learner.queuePacket(packet(bytes));
          }
        });
  }

  /** Has those flush that are to, and asks what learners have applied if that is wanted. */
  void ask(LeaderDurability.Effects effects) {
    if (effects.flush() != FlushRounds.NONE) {
      broadcast(new PeerMessage.Flush(effects.flush()), effects::flushes);
      if (effects.flushAsksApplied()) {
        broadcast(new PeerMessage.AskApplied(effects.flush()), sid -> !effects.flushes(sid));
      }
    }
    if (effects.askApplied() != FlushRounds.NONE) {
      broadcast(new PeerMessage.AskApplied(effects.askApplied()));
    }
  }

  /** Tells those that are to leave the active set, and the log who has come and gone. */
  void tellMembers(LeaderDurability.Effects effects, LongPredicate votes) {
    for (long sid : effects.markOut()) {
      LOG.warn(
          "Server {} is to leave the active set: {}",
          sid,
          votes.test(sid)
              ? "it holds reads up, or the set is too large"
              : "it has no vote any more");
      send(sid, new PeerMessage.MarkOut());
    }
    for (long sid : effects.admitted()) {
      LOG.info("Server {} is in the active set", sid);
    }
    for (long sid : effects.removed()) {
      LOG.info("Server {} is out of the active set", sid);
    }
  }

  /** Sends to the connection of a server, if there is one. */
  void send(long sid, PeerMessage message) {
    LearnerHandler learner = greeted.get(sid);
    if (learner != null) {
      send(learner, message);
    }
  }

  static void send(LearnerHandler learner, PeerMessage message) {
    learner.queuePacket(packet(PeerMessageCodec.encode(message)));
  }

  private static QuorumPacket packet(byte[] bytes) {
    return new QuorumPacket(PeerMessage.PACKET_TYPE, 0, bytes, null);
  }
}
