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
package org.orcagrid.server.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.orcagrid.server.admin.OrcaAdminCommand.LeaderView;
import org.orcagrid.server.role.OrcaHost;
import org.orcagrid.server.role.OrcaMetricsGauges;
import org.orcagrid.server.role.OrcaRole;

/** What is known of a server now, in the order in which people want to read it. */
final class ConsoleState {
  private static final int EPOCH_BITS = 32;
  private static final long COUNTER = 0xffff_ffffL;

  private ConsoleState() {}

  /**
   * Returns everything, as JSON takes it.
   *
   * @param hasGrid whether the server hosts a node of a grid, which has a page of its own
   */
  static Map<String, Object> of(ConsoleView view, boolean hasGrid) {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("id", view.id());
    state.put("role", view.role());
    state.put("leader", view.leader());
    state.put("grid", hasGrid);
    List<Map<String, Object>> roles = new ArrayList<>();
    for (RoleHistory.Entry each : view.history()) {
      roles.add(
          Map.of(
              "at", each.at().toString(), "role", each.role(), "afterMillis", each.afterMillis()));
    }
    state.put("roles", roles);
    ZooKeeperServer server = view.server();
    OrcaRole role = server instanceof OrcaHost host ? host.role() : null;
    state.put("serving", role != null && server.isRunning());
    if (role != null) {
      describe(state, server, role);
    }
    return state;
  }

  private static void describe(Map<String, Object> state, ZooKeeperServer server, OrcaRole role) {
    long last = server.getLastProcessedZxid();
    state.put("settings", role.settings().describe());
    state.put("epoch", last >>> EPOCH_BITS);
    state.put("lastIndex", hex(last));
    state.put("durableIndex", hex(role.durableIndex()));
    state.put("undurable", behind(role.durableIndex(), last));
    state.put("holdsLease", role.holdsLease());
    state.put("connections", server.getNumAliveConnections());
    if (server instanceof LeaderView leader) {
      state.put("leaseMillis", leader.leaseNanos() / 1_000_000);
      List<Map<String, Object>> members = new ArrayList<>();
      leader.voters().forEach((id, voter) -> members.add(member(id, voter, last)));
      state.put("members", members);
    }
    state.put("metrics", new OrcaMetricsGauges(role).snapshot());
  }

  private static Map<String, Object> member(long id, LeaderView.Voter voter, long last) {
    Map<String, Object> member = new LinkedHashMap<>();
    member.put("id", id);
    member.put("active", voter.active());
    member.put("leaseMillis", voter.grantNanos() / 1_000_000);
    member.put("persisted", hex(voter.persisted()));
    member.put("applied", hex(voter.applied()));
    member.put("unpersisted", behind(voter.persisted(), last));
    member.put("unapplied", behind(voter.applied(), last));
    return member;
  }

  /** How many changes of the present epoch lie between; -1 if that cannot be told. */
  static long behind(long index, long last) {
    if (index >= last) {
      return 0;
    }
    if (index < 0) {
      return -1;
    }
    return index >>> EPOCH_BITS == last >>> EPOCH_BITS ? last - index : last & COUNTER;
  }

  private static String hex(long index) {
    return index == Long.MAX_VALUE ? "all" : index < 0 ? "none" : "0x" + Long.toHexString(index);
  }
}
