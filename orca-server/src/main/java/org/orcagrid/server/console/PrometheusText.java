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

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.zookeeper.server.ServerMetrics;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.orcagrid.server.admin.OrcaAdminCommand.LeaderView;
import org.orcagrid.server.role.OrcaHost;
import org.orcagrid.server.role.OrcaMetricsGauges;

/**
 * The metrics of a server in the text format of Prometheus, version 0.0.4: those of ZooKeeper that
 * are numbers, ours, and on the leader those of each member.
 */
final class PrometheusText {
  private final StringBuilder text = new StringBuilder();

  private PrometheusText() {}

  static String of(ConsoleView view) {
    Map<String, Number> values = new TreeMap<>();
    ServerMetrics.getMetrics()
        .getMetricsProvider()
        .dump(
            (name, value) -> {
              if (value instanceof Number number) {
                values.put(name, number);
              }
            });
    ZooKeeperServer server = view.server();
    values.put("orca_serving", server != null && server.isRunning() ? 1 : 0);
    values.put("orca_leader_id", view.leader());
    if (server instanceof OrcaHost host && host.role() != null) {
      new OrcaMetricsGauges(host.role())
          .snapshot()
          .forEach((name, value) -> values.put(name, (Number) value));
    }
    PrometheusText all = new PrometheusText();
    values.forEach(all::single);
    if (server instanceof LeaderView leader && ((OrcaHost) server).role() != null) {
      all.members(leader, server.getLastProcessedZxid());
    }
    return all.text.toString();
  }

  private void single(String name, Number value) {
    String clean = name.replaceAll("[^a-zA-Z0-9_:]", "_");
    type(clean);
    text.append(clean).append(' ').append(number(value)).append('\n');
  }

  private void members(LeaderView leader, long last) {
    Map<Long, LeaderView.Voter> voters = leader.voters();
    type("orca_member_active");
    voters.forEach((id, voter) -> member("active", id, voter.active() ? 1 : 0));
    type("orca_member_lease_millis");
    voters.forEach((id, voter) -> member("lease_millis", id, voter.grantNanos() / 1_000_000));
    type("orca_member_unpersisted_txns");
    voters.forEach(
        (id, voter) ->
            member("unpersisted_txns", id, ConsoleState.behind(voter.persisted(), last)));
    type("orca_member_unapplied_txns");
    voters.forEach(
        (id, voter) -> member("unapplied_txns", id, ConsoleState.behind(voter.applied(), last)));
  }

  private void member(String name, long id, long value) {
    text.append("orca_member_").append(name).append("{server=\"").append(id).append("\"} ");
    text.append(value).append('\n');
  }

  private void type(String name) {
    text.append("# TYPE ").append(name);
    text.append(name.endsWith("_total") ? " counter\n" : " gauge\n");
  }

  private static String number(Number value) {
    return value instanceof Double || value instanceof Float
        ? String.format(Locale.ROOT, "%.3f", value.doubleValue())
        : Long.toString(value.longValue());
  }
}
