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
package org.orcagrid.bench.compare.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.orcagrid.bench.workload.OperationStream;
import org.orcagrid.bench.workload.RecordKeys;
import org.orcagrid.bench.workload.Workload;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.server.settings.OrcaConfigException;

/**
 * A node of our maps with the clients of the DDP paper (section 7): closed loops, each with a
 * session of its own. A variant is a model. The workload is YCSB's A; with writes only, its keys
 * are chosen uniformly.
 */
public final class ModelLoad implements LoadTarget {
  private static final double ALL = 100;
  private static final int FILLS = 64;
  private static final long FILL_SECONDS_MAX = 100;

  private final LoadSettings settings;
  private final MapProcess process;
  private final Map<String, MapDefinition> maps = new HashMap<>();
  private final AtomicReference<String> failure = new AtomicReference<>();
  private final List<ModelClient> clients = new ArrayList<>();
  private long doneBefore;
  private long abortedBefore;

  /**
   * Starts it; returns when all nodes are there.
   *
   * @throws IOException if it cannot be started
   */
  public ModelLoad(LoadSettings settings)
      throws IOException, InterruptedException, OrcaConfigException {
    this.settings = settings;
    process = new MapProcess(settings);
    for (String variant : settings.use().variants()) {
      maps.put(variant, process.map(variant));
    }
  }

  @Override
  public String product() {
    return "Orca Grid, this build";
  }

  @Override
  public void fill() throws InterruptedException, ExecutionException, TimeoutException {
    int nodes = settings.ports().size();
    for (MapDefinition map : maps.values()) {
      CompletableFuture<?>[] fills = new CompletableFuture<?>[FILLS];
      for (int i = 0; i < FILLS; i++) {
        ModelFill.Range range =
            new ModelFill.Range(settings.self() + i * nodes, FILLS * nodes, settings.data().keys());
        fills[i] =
            new ModelFill(
                    process.node().openSession(map),
                    map.model(),
                    range,
                    settings.data().valueBytes())
                .begin();
      }
      CompletableFuture.allOf(fills).get(FILL_SECONDS_MAX, TimeUnit.SECONDS);
    }
  }

  @Override
  public void begin(LoadOrder order) {
    clients.forEach(client -> doneBefore += client.done());
    clients.forEach(client -> abortedBefore += client.aborted());
    clients.clear();
    Workload workload = order.writePercent() == ALL ? Workload.W : Workload.A;
    RecordKeys keys = new RecordKeys(settings.data().keys());
    MapDefinition map = maps.get(order.variant());
    for (int i = 0; i < settings.pressure().depth(); i++) {
      OperationStream operations = new OperationStream(workload, keys, settings.self() * 1000L + i);
      clients.add(
          new ModelClient(
              process.node().openSession(map),
              map.model(),
              operations,
              settings.data().valueBytes(),
              failure::set));
    }
    clients.forEach(ModelClient::begin);
  }

  @Override
  public long done() {
    return doneBefore + clients.stream().mapToLong(ModelClient::done).sum();
  }

  @Override
  public void end() {
    clients.forEach(ModelClient::stop);
  }

  @Override
  public boolean isIdle() {
    return clients.stream().allMatch(ModelClient::isIdle);
  }

  @Override
  public String failure() {
    return process.failure() != null ? process.failure() : failure.get();
  }

  /** Transactions that were aborted. */
  @Override
  public long disturbances() {
    return abortedBefore + clients.stream().mapToLong(ModelClient::aborted).sum();
  }

  @Override
  public void close() {
    process.close();
  }
}
