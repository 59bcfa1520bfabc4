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
package org.orcagrid.architecture;

/** Where there is no thread, no clock and no chance: what the simulator can run. */
final class PurePackages {
  static final String DECISIONS = "org.orcagrid.cad..";

  private static final String[] ALL = {
    DECISIONS,
    "org.orcagrid.ddp",
    "org.orcagrid.ddp.kite",
    "org.orcagrid.ddp.membership",
    "org.orcagrid.ddp.model",
    "org.orcagrid.ddp.paxos",
    "org.orcagrid.ddp.raft",
    "org.orcagrid.ddp.replica",
    "org.orcagrid.ddp.replica.consistency",
    "org.orcagrid.ddp.replica.log",
    "org.orcagrid.ddp.replica.removal",
    "org.orcagrid.ddp.replica.state",
    "org.orcagrid.ddp.replica.transfer",
    "org.orcagrid.ddp.replica.wire",
    "org.orcagrid.ddp.transfer",
    "org.orcagrid.ddp.wire",
    "org.orcagrid.geo",
    "org.orcagrid.geo.clock",
    "org.orcagrid.geo.forward",
    "org.orcagrid.geo.message",
    "org.orcagrid.geo.partition",
    "org.orcagrid.geo.replica",
    "org.orcagrid.geo.session",
    "org.orcagrid.geo.wire",
    "org.orcagrid.bench.zab"
  };

  private PurePackages() {}

  static String[] all() {
    return ALL.clone();
  }
}
