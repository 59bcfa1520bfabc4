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

/**
 * The stock election, before which this server can be read. It runs while this server keeps what it
 * has promised to its last leader; {@link PromiseFile} delays the acknowledgement of the next one.
 */
final class OrcaElection implements Election {

  private final OrcaQuorumPeer peer;
  private final Election election;

  OrcaElection(OrcaQuorumPeer peer, Election election) {
    this.peer = peer;
    this.election = election;
  }

  @Override
  public Vote lookForLeader() throws InterruptedException {
    peer.onElection();
    return election.lookForLeader();
  }

  @Override
  public void shutdown() {
    election.shutdown();
  }
}
