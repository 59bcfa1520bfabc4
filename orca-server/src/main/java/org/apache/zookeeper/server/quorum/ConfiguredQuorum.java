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

import java.util.HashSet;
import java.util.Set;
import org.apache.zookeeper.server.quorum.flexible.QuorumMaj;
import org.apache.zookeeper.server.quorum.flexible.QuorumVerifier;
import org.orcagrid.cad.QuorumRule;

/**
 * A quorum of the ensemble as it is configured now; while it is being reconfigured, one of both
 * configurations at once.
 */
final class ConfiguredQuorum implements QuorumRule {

  private final QuorumPeer peer;

  ConfiguredQuorum(QuorumPeer peer) {
    this.peer = peer;
  }

  /** A quorum of one configuration. */
  static QuorumRule of(QuorumVerifier verifier) {
    return (sids, count) -> contains(verifier, sids, count);
  }

  @Override
  public boolean isQuorum(long[] sids, int count) {
    while (true) {
      QuorumVerifier current = peer.getQuorumVerifier();
      QuorumVerifier next = peer.getLastSeenQuorumVerifier();
      boolean quorum =
          contains(current, sids, count)
              && (!isPending(current, next) || contains(next, sids, count));
      if (peer.getQuorumVerifier() == current) {
        return quorum;
      }
      // The next one came into force meanwhile, and the one after it may be pending.
    }
  }

  /** Whether the server votes now. */
  boolean votes(long sid) {
    return peer.getQuorumVerifier().getVotingMembers().containsKey(sid);
  }

  /** Whether the server votes now, or will once the reconfiguration that is pending commits. */
  boolean votesNowOrNext(long sid) {
    QuorumVerifier next = peer.getLastSeenQuorumVerifier();
    QuorumVerifier current = peer.getQuorumVerifier();
    return current.getVotingMembers().containsKey(sid)
        || (isPending(current, next) && next.getVotingMembers().containsKey(sid));
  }

  /** The configuration that is pending; null if none is. */
  QuorumVerifier pending() {
    QuorumVerifier next = peer.getLastSeenQuorumVerifier();
    return isPending(peer.getQuorumVerifier(), next) ? next : null;
  }

  private static boolean isPending(QuorumVerifier current, QuorumVerifier next) {
    return next != null && next.getVersion() > current.getVersion();
  }

  private static boolean contains(QuorumVerifier verifier, long[] sids, int count) {
    if (verifier instanceof QuorumMaj) {
      int votes = 0;
      for (int i = 0; i < count; i++) {
        votes += verifier.getVotingMembers().containsKey(sids[i]) ? 1 : 0;
      }
      return votes > verifier.getVotingMembers().size() / 2;
    }
    Set<Long> voters = new HashSet<>();
    for (int i = 0; i < count; i++) {
      if (verifier.getVotingMembers().containsKey(sids[i])) {
        voters.add(sids[i]);
      }
    }
    return verifier.containsQuorum(voters);
  }
}
