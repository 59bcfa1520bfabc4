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

/** An election that begins once this server has kept what it promised to its last leader. */
final class DelayedElection implements Election {

  private final OrcaQuorumPeer peer;
  private final Election election;

  DelayedElection(OrcaQuorumPeer peer, Election election) {
    this.peer = peer;
    this.election = election;
  }

  @Override
  public Vote lookForLeader() throws InterruptedException {
    peer.onElection();
    // A server that is shut down meanwhile finds that out in the election.
    peer.keepsPromise();
    return election.lookForLeader();
  }

  @Override
  public void shutdown() {
    election.shutdown();
  }
}
