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
package org.orcagrid.geo.node;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.orcagrid.geo.forward.Forwarder;
import org.orcagrid.geo.partition.Lag;

/**
 * What a node says of itself. For people: a line for the node, and one for each partition, as words
 * {@code name=value}. For Prometheus: its text format. Any thread may ask.
 */
final class GeoStatus {
  private final GeoPlan plan;
  private final GeoPart part;

  /** What the node's port knows. */
  record Clients(int connected, long refused) {}

  GeoStatus(GeoPlan plan, GeoPart part) {
    this.plan = plan;
    this.part = part;
  }

  private <T> CompletionStage<List<T>> ask(Function<HostedPartition, T> question) {
    CompletableFuture<List<T>> all = CompletableFuture.completedFuture(new ArrayList<>());
    for (CompletionStage<List<T>> each : part.ask(question)) {
      all =
          all.thenCombine(
              each,
              (before, more) -> {
                List<T> both = new ArrayList<>(before);
                both.addAll(more);
                return both;
              });
    }
    return all;
  }

  private String own() {
    return plan.datacenters().get(plan.datacenter(plan.self())).name();
  }

  // --- for people --------------------------------------------------------------------------------

  CompletionStage<String> text(Clients clients, boolean digests) {
    long millis = part.wallMillis();
    return ask(each -> line(each, digests))
        .thenApply(
            lines -> {
              List<String> sorted = new ArrayList<>(lines);
              sorted.sort(null);
              sorted.add(
                  0,
                  "node="
                      + plan.self()
                      + " datacenter="
                      + own()
                      + " clients="
                      + clients.connected()
                      + " refused="
                      + clients.refused()
                      + " journal="
                      + part.journalBytes()
                      + " millis="
                      + millis);
              return String.join("\n", sorted);
            });
  }

  /** Of some datacenters, or "-". */
  private String names(int datacenters) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < plan.datacenters().size(); i++) {
      if ((datacenters & (1 << i)) != 0) {
        names.add(plan.datacenters().get(i).name());
      }
    }
    return names.isEmpty() ? "-" : String.join(",", names);
  }

  private String line(HostedPartition hosted, boolean digests) {
    PartitionState is = PartitionState.of(hosted, plan.datacenters().size());
    StringBuilder line =
        new StringBuilder(
            String.format(
                "partition=%04d leads=%s serves=%s forwards=%s term=%d keys=%d deletions=%d"
                    + " waiting=%d proposed=%d missed=%d gaps=%d log=%d ahead=%d fenced=%s"
                    + " removed=%s",
                is.number(),
                is.leads(),
                is.serves(),
                is.forwards(),
                is.term(),
                is.keys(),
                is.deletions(),
                is.waiting(),
                is.proposed(),
                is.missed(),
                is.gaps(),
                is.logEntries(),
                is.aheadMillis(),
                names(is.fenced()),
                names(is.removed())));
    if (digests) {
      line.append(String.format(" digest=%016x", hosted.partition().replica().digest()));
    }
    for (Lag lag : is.lags()) {
      line.append(" lag.").append(plan.datacenters().get(lag.datacenter()).name()).append('=');
      line.append(lag.entries()).append('/').append(lag.ageMillis()).append("ms");
    }
    for (Forwarder.Behind each : is.behind()) {
      line.append(" behind.").append(plan.datacenters().get(each.datacenter()).name());
      line.append('=').append(each.entries()).append('/').append(each.bytes()).append('B');
    }
    return line.toString();
  }

  // --- for Prometheus ----------------------------------------------------------------------------

  CompletionStage<String> metrics(Clients clients) {
    return ask(each -> PartitionState.of(each, plan.datacenters().size()))
        .thenApply(
            all -> {
              List<PartitionState> states = new ArrayList<>(all);
              states.sort(Comparator.comparingInt(PartitionState::number));
              StringBuilder text = new StringBuilder();
              one(text, "orca_geo_clients", clients.connected());
              one(text, "orca_geo_refused_total", clients.refused());
              one(text, "orca_geo_journal_bytes", part.journalBytes());
              each(text, states, "leads", each -> each.leads() ? 1 : 0);
              each(text, states, "serves", each -> each.serves() ? 1 : 0);
              each(text, states, "forwards", each -> each.forwards() ? 1 : 0);
              each(text, states, "elections_total", PartitionState::term);
              each(text, states, "keys", PartitionState::keys);
              each(text, states, "deletions", PartitionState::deletions);
              each(text, states, "waiting", PartitionState::waiting);
              each(text, states, "proposed", PartitionState::proposed);
              each(text, states, "missed_deadlines_total", PartitionState::missed);
              each(text, states, "gaps_total", PartitionState::gaps);
              each(text, states, "log_entries", PartitionState::logEntries);
              each(text, states, "clock_ahead_millis", PartitionState::aheadMillis);
              lags(text, states, "lag_entries", Lag::entries);
              lags(text, states, "lag_millis", Lag::ageMillis);
              behind(text, states, "unacknowledged_entries", Forwarder.Behind::entries);
              behind(text, states, "unacknowledged_bytes", Forwarder.Behind::bytes);
              return text.toString();
            });
  }

  private static void type(StringBuilder text, String name) {
    text.append("# TYPE ").append(name);
    text.append(name.endsWith("_total") ? " counter\n" : " gauge\n");
  }

  private static void one(StringBuilder text, String name, long value) {
    type(text, name);
    text.append(name).append(' ').append(value).append('\n');
  }

  private static void each(
      StringBuilder text,
      List<PartitionState> states,
      String name,
      ToLongFunction<PartitionState> value) {
    String whole = "orca_geo_partition_" + name;
    type(text, whole);
    for (PartitionState each : states) {
      text.append(whole).append("{partition=\"").append(each.number()).append("\"} ");
      text.append(value.applyAsLong(each)).append('\n');
    }
  }

  private void behind(
      StringBuilder text,
      List<PartitionState> states,
      String name,
      ToLongFunction<Forwarder.Behind> value) {
    String whole = "orca_geo_partition_" + name;
    type(text, whole);
    for (PartitionState each : states) {
      for (Forwarder.Behind behind : each.behind()) {
        text.append(whole).append("{partition=\"").append(each.number()).append("\",datacenter=\"");
        text.append(plan.datacenters().get(behind.datacenter()).name()).append("\"} ");
        text.append(value.applyAsLong(behind)).append('\n');
      }
    }
  }

  private void lags(
      StringBuilder text, List<PartitionState> states, String name, ToLongFunction<Lag> value) {
    String whole = "orca_geo_partition_" + name;
    type(text, whole);
    for (PartitionState each : states) {
      for (Lag lag : each.lags()) {
        text.append(whole).append("{partition=\"").append(each.number()).append("\",origin=\"");
        text.append(plan.datacenters().get(lag.datacenter()).name()).append("\"} ");
        text.append(value.applyAsLong(lag)).append('\n');
      }
    }
  }
}
