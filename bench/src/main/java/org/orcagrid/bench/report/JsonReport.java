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
package org.orcagrid.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.orcagrid.bench.Cell;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.Measurement;
import org.orcagrid.bench.load.LoadResult;
import org.orcagrid.bench.stats.LatencySummary;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.workload.OperationKind;

/** Everything there is: the plan, the machine and every measurement of every round. */
public final class JsonReport {
  private JsonReport() {}

  /** Returns one JSON object, indented. */
  public static String render(ExperimentResult result, Machine machine) {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = mapper.createObjectNode();
    addMachine(root.putObject("machine"), machine);
    addPlan(root.putObject("plan"), result.plan());
    ArrayNode measurements = root.putArray("measurements");
    for (Measurement measurement : result.measurements()) {
      addMeasurement(measurements.addObject(), measurement);
    }
    try {
      return mapper.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(root)
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A tree of plain values did not become JSON.", e);
    }
  }

  private static void addMachine(ObjectNode node, Machine machine) {
    node.put("cpu", machine.cpu());
    node.put("cores", machine.cores());
    node.put("memoryGb", rounded(machine.memoryGb()));
    node.put("kernel", machine.kernel());
    node.put("jdk", machine.jdk());
    node.put("fsyncMicros", rounded(machine.fsyncMicros()));
    node.put("fsyncP99Micros", rounded(machine.fsyncP99Micros()));
    node.put("loopbackRoundTripMicros", rounded(machine.loopbackMicros()));
  }

  private static void addPlan(ObjectNode node, ExperimentPlan plan) {
    node.put("servers", plan.servers().count());
    node.put("addedLinkDelayMs", plan.servers().linkDelayMs());
    node.put("rounds", plan.rounds());
    node.put("mode", plan.load().pacing().mode().name().toLowerCase(Locale.ROOT));
    node.put("window", plan.load().pacing().window());
    node.put("ratePerSecond", plan.load().pacing().ratePerSecond());
    node.put("reads", plan.load().reads().name().toLowerCase(Locale.ROOT));
    node.put("warmUpSeconds", plan.load().time().warmUpSeconds());
    node.put("measuredSeconds", plan.load().time().measuredSeconds());
    node.put("records", plan.load().data().records());
    node.put("valueBytes", plan.load().data().valueBytes());
    node.put("seed", plan.load().seed());
    ObjectNode systems = node.putObject("systems");
    for (SystemSpec spec : plan.systems()) {
      ObjectNode system = systems.putObject(spec.id());
      system.put("server", spec.server().name().toLowerCase(Locale.ROOT));
      spec.settings().entrySet().stream()
          .sorted(java.util.Map.Entry.comparingByKey())
          .forEach(setting -> system.put(setting.getKey(), setting.getValue()));
    }
  }

  private static void addMeasurement(ObjectNode node, Measurement measurement) {
    Cell cell = measurement.cell();
    LoadResult result = measurement.result();
    node.put("system", cell.system());
    node.put("workload", cell.workload().name());
    node.put("clients", cell.clients());
    node.put("addedFsyncDelayMs", cell.fsyncDelayMs());
    node.put("round", measurement.round());
    node.put("throughputPerSecond", rounded(result.throughput()));
    if (result.triggeringPercent().isPresent()) {
      node.put(
          "readsTriggeringDurabilityPercent", rounded(result.triggeringPercent().getAsDouble()));
    } else {
      node.putNull("readsTriggeringDurabilityPercent");
    }
    if (result.serverCpuMicrosPerRequest().isPresent()) {
      node.put(
          "serverCpuMicrosPerRequest", rounded(result.serverCpuMicrosPerRequest().getAsDouble()));
    } else {
      node.putNull("serverCpuMicrosPerRequest");
    }
    node.put("errors", result.errors());
    node.put("firstError", result.firstError());
    node.put("missing", result.missing());
    ObjectNode latencies = node.putObject("latencyMicros");
    for (OperationKind kind : result.latencies().kinds()) {
      ObjectNode latency = latencies.putObject(kind.label());
      addLatency(latency, LatencySummary.of(result.latencies().of(kind)));
      addLatency(
          latency.putObject("corrected"),
          LatencySummary.of(result.latencies().corrected(kind, result.clientIntervalNanos())));
    }
  }

  private static void addLatency(ObjectNode node, LatencySummary latency) {
    node.put("count", latency.count());
    node.put("mean", rounded(latency.mean()));
    node.put("p50", rounded(latency.p50()));
    node.put("p95", rounded(latency.p95()));
    node.put("p99", rounded(latency.p99()));
    node.put("p99.9", rounded(latency.p999()));
    node.put("max", rounded(latency.max()));
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
