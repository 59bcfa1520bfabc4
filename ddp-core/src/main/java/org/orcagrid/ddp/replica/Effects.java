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
package org.orcagrid.ddp.replica;

import org.orcagrid.ddp.replica.consistency.OperationListener;
import org.orcagrid.ddp.replica.log.LogMedium;
import org.orcagrid.ddp.replica.log.PeerMedia;
import org.orcagrid.ddp.replica.log.RecoveryListener;
import org.orcagrid.ddp.replica.state.VersionListener;
import org.orcagrid.ddp.replica.wire.PacketSender;
import org.orcagrid.ddp.transfer.TransferHost;

/** What a replica wants done. Whatever is called here must not call the replica. */
public interface Effects
    extends PacketSender,
        LogMedium,
        PeerMedia,
        OperationListener,
        VersionListener,
        RecoveryListener,
        TransferHost {

  /** This node has caught up and may serve in the next view. */
  void caughtUp(int view);
}
