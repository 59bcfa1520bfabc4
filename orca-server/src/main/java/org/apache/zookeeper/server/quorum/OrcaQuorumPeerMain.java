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

import java.io.IOException;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.OrcaFiles;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.settings.OrcaSettings;

/** Starts a member of an ensemble from a configuration, with our peer. */
public class OrcaQuorumPeerMain extends QuorumPeerMain {

  private final OrcaSettings settings;
  private final LogStorage storage;

  /** With these settings, and with this disk beneath the log. */
  public OrcaQuorumPeerMain(OrcaSettings settings, LogStorage storage) {
    this.settings = settings;
    this.storage = storage;
  }

  /** With settings from system properties. */
  public OrcaQuorumPeerMain() {
    this.settings = OrcaSettings.defaults();
    this.storage = OrcaFiles.storage(settings);
  }

  @Override
  protected QuorumPeer getQuorumPeer() throws SaslException {
    try {
      return new OrcaQuorumPeer(settings, storage);
    } catch (SaslException e) {
      throw e;
    } catch (IOException e) {
      throw new SaslException("The peer could not be made", e);
    }
  }

  /** The peer, or null before it was made. */
  public QuorumPeer peer() {
    return quorumPeer;
  }
}
