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
package org.orcagrid.geo.log;

import java.util.List;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.raft.Members;

/** Our own Raft: groups that share links and journals, and beat together. */
public final class RaftKind implements LogKind {
  /** What {@code geo.log} calls it. */
  public static final String NAME = "raft";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public NodeLogs open(LogNode node) {
    return new Logs(node);
  }

  private record Logs(LogNode node) implements NodeLogs {
    @Override
    public HostedLog open(LogHost host, List<Integer> members) {
      int mask = 0;
      for (int each : members) {
        mask |= Quorum.of(each);
      }
      return new RaftPartitionLog(node, host, Members.of(mask));
    }

    @Override
    public void start() {
      // Ticks are all that it needs.
    }

    @Override
    public void close() {
      // Journals are their workers'.
    }
  }
}
