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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.orcagrid.geo.partition.Lag;
import org.orcagrid.geo.partition.Partition;

/**
 * What a node says of itself: a line for the node, and one for each partition, as words {@code
 * name=value}. Any thread may ask.
 */
final class GeoStatus {
  private final GeoPlan plan;
  private final GeoPart part;

  GeoStatus(GeoPlan plan, GeoPart part) {
    this.plan = plan;
    this.part = part;
  }

  CompletionStage<String> text(int clients, long refused, boolean digests) {
    CompletableFuture<List<String>> all = CompletableFuture.completedFuture(new ArrayList<>());
    for (CompletionStage<List<String>> each : part.ask(each -> line(each, digests))) {
      all =
          all.thenCombine(
              each,
              (before, more) -> {
                List<String> both = new ArrayList<>(before);
                both.addAll(more);
                return both;
              });
    }
    return all.thenApply(
        lines -> {
          List<String> sorted = new ArrayList<>(lines);
          sorted.sort(null);
          sorted.add(
              0,
              "node="
                  + plan.self()
                  + " datacenter="
                  + plan.datacenters().get(plan.datacenter(plan.self())).name()
                  + " clients="
                  + clients
                  + " refused="
                  + refused
                  + " journal="
                  + part.journalBytes());
          return String.join("\n", sorted);
        });
  }

  private String line(HostedPartition hosted, boolean digests) {
    Partition partition = hosted.partition();
    StringBuilder line =
        new StringBuilder(
            String.format(
                "partition=%04d leads=%s serves=%s term=%d keys=%d deletions=%d waiting=%d"
                    + " proposed=%d missed=%d gaps=%d",
                hosted.number(),
                partition.leads(),
                partition.serves(),
                hosted.term(),
                partition.replica().keys(),
                partition.replica().deletions(),
                partition.waiting(),
                partition.proposed(),
                partition.missedDeadlines(),
                partition.gapsFound()));
    if (digests) {
      line.append(String.format(" digest=%016x", partition.replica().digest()));
    }
    for (int i = 0; i < plan.datacenters().size(); i++) {
      Lag lag = partition.lag(i);
      String name = plan.datacenters().get(i).name();
      line.append(" lag.").append(name).append('=').append(lag.entries());
      line.append('/').append(lag.ageMillis()).append("ms");
    }
    return line.toString();
  }
}
