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

import java.util.Locale;
import org.apache.zookeeper.server.quorum.flexible.QuorumOracleMaj;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.settings.Readers;

/** What a stock member of an ensemble can do and one with our modes on cannot. */
final class StockFeatures {

  private StockFeatures() {}

  /**
   * Refuses a peer that is configured for something which its modes cannot keep their promises
   * with.
   *
   * @throws IllegalStateException that names the setting and what to do
   */
  static void require(QuorumPeer peer, OrcaSettings settings) {
    if (settings.durability() == Durability.SYNC && settings.readers() == Readers.ALL) {
      return;
    }
    if (peer.getObserverMasterPort() > 0) {
      throw refused(
          "observerMasterPort",
          settings,
          "a follower does not pass the durable-index on; remove observerMasterPort");
    }
    if (peer.getQuorumVerifier() instanceof QuorumOracleMaj
        || peer.getLastSeenQuorumVerifier() instanceof QuorumOracleMaj) {
      throw refused(
          "oraclePath",
          settings,
          "one of two servers that goes on alone, when the oracle says so, has neither what the"
              + " other has forced nor its promise to acknowledge nobody; remove oraclePath and run"
              + " three servers");
    }
  }

  private static IllegalStateException refused(
      String setting, OrcaSettings settings, String because) {
    return new IllegalStateException(
        setting
            + " cannot be used with orca.durability="
            + settings.durability().name().toLowerCase(Locale.ROOT)
            + " and orca.readers="
            + settings.readers().name().toLowerCase(Locale.ROOT).replace('_', '-')
            + ", since "
            + because
            + " or set orca.durability=sync and orca.readers=all.");
  }
}
