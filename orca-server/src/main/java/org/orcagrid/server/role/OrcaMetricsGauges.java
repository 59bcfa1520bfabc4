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
package org.orcagrid.server.role;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.zookeeper.metrics.MetricsContext;
import org.apache.zookeeper.server.ServerMetrics;
import org.orcagrid.server.gate.GateMetrics;

/**
 * The metrics of one role, for ZooKeeper's metrics provider ({@code mntr}, Prometheus) and for the
 * admin command, from one list.
 */
public final class OrcaMetricsGauges {

  private final Map<String, Supplier<Number>> values = new LinkedHashMap<>();

  /** The metrics of {@code role}. */
  public OrcaMetricsGauges(OrcaRole role) {
    GateMetrics metrics = role.metrics();
    values.put("orca_durable_index", role::durableIndex);
    values.put("orca_persisted_index", role::persisted);
    values.put("orca_reads_total", metrics::reads);
    values.put("orca_reads_triggering_flush", metrics::readsTriggering);
    values.put(
        "orca_reads_triggering_flush_percent",
        () -> metrics.reads() == 0 ? 0.0 : 100.0 * metrics.readsTriggering() / metrics.reads());
    values.put("orca_applied_index", () -> role.gate().applied());
    values.put("orca_holds_lease", () -> role.holdsLease() ? 1 : 0);
    values.put("orca_reads_through_leader_total", metrics::readsThroughLeader);
    values.put("orca_replies_waiting", () -> role.gate().held());
    values.put("orca_replies_held_total", metrics::repliesHeld);
    values.put("orca_reply_held_micros_mean", metrics::heldMicrosMean);
    values.put("orca_reply_held_micros_max", metrics::heldMicrosMax);
    values.put("orca_flushes_total", metrics::flushes);
    values.put("orca_flush_micros_mean", metrics::flushMicrosMean);
    values.put("orca_flush_micros_max", metrics::flushMicrosMax);
    values.put("orca_undurable_txns", role::unpersisted);
    values.put("orca_undurable_bytes", role::unpersistedBytes);
    values.put("orca_writes_bounded_total", metrics::writesBounded);
    values.put("orca_requests_too_long_total", role.sizes()::requests);
    values.put("orca_replies_too_long_total", role.sizes()::replies);
    values.put("orca_transactions_too_long_total", role.sizes()::transactions);
  }

  /** Adds a metric that only this kind of role has. */
  public OrcaMetricsGauges with(String name, Supplier<Number> value) {
    values.put(name, value);
    return this;
  }

  /** The values now, by name. */
  public Map<String, Object> snapshot() {
    Map<String, Object> snapshot = new LinkedHashMap<>();
    values.forEach((name, value) -> snapshot.put(name, value.get()));
    return snapshot;
  }

  /** Shows them to the metrics provider. */
  public void register() {
    MetricsContext root = ServerMetrics.getMetrics().getMetricsProvider().getRootContext();
    values.forEach((name, value) -> root.registerGauge(name, value::get));
  }

  /** Takes them back. */
  public void unregister() {
    MetricsContext root = ServerMetrics.getMetrics().getMetricsProvider().getRootContext();
    values.keySet().forEach(root::unregisterGauge);
  }
}
