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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.admin.CommandResponse;
import org.apache.zookeeper.server.admin.Commands;
import org.apache.zookeeper.server.admin.GetCommand;
import org.orcagrid.server.role.OrcaHost;
import org.orcagrid.server.role.OrcaMetricsGauges;
import org.orcagrid.server.role.OrcaRole;

/**
 * {@code /commands/orca} of the AdminServer: the indexes, what is held, and how long flushes take.
 */
public final class OrcaAdminCommand extends GetCommand {

  /** A server that knows how far others are. */
  public interface LeaderView {

    /**
     * A voter as its leader knows it.
     *
     * @param persisted the persisted-index that it has reported last, -1 for none
     * @param applied what it has applied, by its last report, -1 for none
     * @param active whether it may answer reads from its own state
     * @param grantNanos how long it may do so at most, as far as the leader knows; 0 if not at all
     */
    record Voter(long persisted, long applied, boolean active, long grantNanos) {}

    /** Every voter, by its number. */
    Map<Long, Voter> voters();

    /** How long the leader's own lease lasts, 0 if it does not. */
    long leaseNanos();
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
    response.put("applied_index", hex(role.gate().applied()));
    response.put("holds_lease", role.holdsLease());
    if (server instanceof LeaderView leader) {
      Map<String, String> persisted = new TreeMap<>();
      Map<String, String> applied = new TreeMap<>();
      Set<String> active = new TreeSet<>();
      leader
          .voters()
          .forEach(
              (sid, voter) -> {
                String name = Long.toString(sid);
                persisted.put(name, hex(voter.persisted()));
                applied.put(name, hex(voter.applied()));
                if (voter.active()) {
                  active.add(name);
                }
              });
      response.put("persisted_index_by_server", persisted);
      response.put("applied_index_by_server", applied);
      response.put("active_set", active);
      response.put("lease_millis", leader.leaseNanos() / 1_000_000);
    }
    response.put("metrics", new OrcaMetricsGauges(role).snapshot());
    return response;
  }

  private static String hex(long index) {
    return index == Long.MAX_VALUE ? "all" : "0x" + Long.toHexString(index);
  }
}
