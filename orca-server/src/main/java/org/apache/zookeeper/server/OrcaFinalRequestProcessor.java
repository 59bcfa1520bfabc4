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
package org.apache.zookeeper.server;

import org.orcagrid.server.role.OrcaRole;

/** Works out what each reply needs before it is made, and tells the role what was applied. */
public final class OrcaFinalRequestProcessor extends FinalRequestProcessor {

  /** Told after each transaction. */
  @FunctionalInterface
  public interface AppliedListener {
    /** The transaction {@code zxid} has been applied to the tree. */
    void onApplied(long zxid);
  }

  private final OrcaRole role;
  private final AppliedListener onApplied;

  /** The last processor of a server with this role. */
  public OrcaFinalRequestProcessor(
      ZooKeeperServer server, OrcaRole role, AppliedListener onApplied) {
    super(server);
    this.role = role;
    this.onApplied = onApplied;
  }

  @Override
  public void processRequest(Request request) {
    if (request.cnxn instanceof OrcaConnection connection && role.gates()) {
      ConnectionGate gate = connection.gate();
      role.prepare(request, gate.needs(), gate.wantsDurability());
      try {
        super.processRequest(request);
      } finally {
        gate.needs().clear();
      }
    } else {
      super.processRequest(request);
    }
    if (request.getHdr() != null) {
      onApplied.onApplied(request.getHdr().getZxid());
    }
  }
}
