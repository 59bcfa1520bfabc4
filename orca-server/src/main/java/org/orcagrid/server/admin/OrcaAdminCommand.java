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
package org.orcagrid.server.admin;

import java.util.List;
import java.util.Map;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.admin.CommandResponse;
import org.apache.zookeeper.server.admin.Commands;
import org.apache.zookeeper.server.admin.GetCommand;
import org.orcagrid.server.OrcaHost;
import org.orcagrid.server.OrcaMetricsGauges;
import org.orcagrid.server.OrcaRole;

/**
 * {@code /commands/orca} of the AdminServer: the indexes, what is held, and how long flushes take.
 */
public final class OrcaAdminCommand extends GetCommand {

  /** A server that knows how far the disks of others are. */
  public interface PersistedIndexes {

    /** The persisted-index that each voter has reported last, -1 for none. */
    Map<Long, Long> persistedIndexes();
  }

  private OrcaAdminCommand() {
    super(List.of("orca"));
  }

  /** Makes the command known to AdminServers. */
  public static void register() {
    if (Commands.getCommand("orca") == null) {
      Commands.registerCommand(new OrcaAdminCommand());
    }
  }

  @Override
  public CommandResponse runGet(ZooKeeperServer server, Map<String, String> arguments) {
    CommandResponse response = initializeResponse();
    OrcaRole role = server instanceof OrcaHost host ? host.role() : null;
    if (role == null) {
      response.put("serving", false);
      return response;
    }
    response.put("serving", true);
    response.put("state", server.getState());
    response.put("settings", role.settings().describe());
    response.put("last_zxid", hex(server.getLastProcessedZxid()));
    response.put("durable_index", hex(role.durableIndex()));
    response.put("persisted_index", hex(role.persisted()));
    if (server instanceof PersistedIndexes leader) {
      Map<String, String> all = new java.util.TreeMap<>();
      leader.persistedIndexes().forEach((sid, index) -> all.put(Long.toString(sid), hex(index)));
      response.put("persisted_index_by_server", all);
    }
    response.put("metrics", new OrcaMetricsGauges(role).snapshot());
    return response;
  }

  private static String hex(long index) {
    return index == Long.MAX_VALUE ? "all" : "0x" + Long.toHexString(index);
  }
}
