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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.orcagrid.bench.kite.KitePlan;
import org.orcagrid.bench.kite.Mix;
import org.orcagrid.bench.kite.SessionDriver;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.settings.OrcaConfigException;

/**
 * Kite's keys at a {@link GridProcess}, with the settings that a node has by itself but for their
 * number, and sessions that run in its workers' threads, each with one operation under way. A
 * variant is the share of synchronization in percent: reads that are acquires, and writes that are
 * releases.
 */
public final class WorkerLoad implements LoadTarget {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Room for the relaxed writes of a burst, which count until they are announced. */
  private static final int QUEUE = 2 * KitePlan.Grid.DEFAULT.burst();

  private final LoadSettings settings;
  private final GridProcess process;
  private final List<SessionDriver> drivers = new ArrayList<>();

  /**
   * Starts it; returns when all nodes are there.
   *
   * @throws IOException if it cannot be started
   */
  public WorkerLoad(LoadSettings settings)
      throws IOException, InterruptedException, OrcaConfigException {
    this.settings = settings;
    LoadSettings.Pressure pressure = settings.pressure();
    this.process = new GridProcess(settings, this::settings);
    KitePlan.Grid grid =
        new KitePlan.Grid(
            settings.ports().size(),
            pressure.depth(),
            KitePlan.Grid.DEFAULT.burst(),
            settings.data().keys(),
            settings.data().valueBytes());
    for (int i = 0; i < pressure.depth(); i++) {
      drivers.add(
          new SessionDriver(
              process.node().openSession(QUEUE), grid, settings.self() * pressure.depth() + i));
    }
  }

  private NodeSettings settings(NodeSettings usual) {
    // One more for the filling.
    return KeyRoom.in(usual, settings.data(), settings.pressure().depth() + 1);
  }

  @Override
  public String product() {
    return "Orca Grid, this build";
  }

  @Override
  public void fill() {
    try (NodeSession session = process.node().openSession()) {
      Request last = null;
      int step = settings.ports().size();
      for (int key = settings.self(); key < settings.data().keys(); key += step) {
        // A release at the end: what was written before is at the others then.
        last =
            write(
                session,
                key,
                key + step < settings.data().keys() ? OperationKind.WRITE : OperationKind.RELEASE);
      }
      if (last != null && !session.await(last, PATIENCE_NANOS)) {
        throw stuck();
      }
    }
  }

  private Request write(NodeSession session, int key, OperationKind kind) {
    if (session.room() == 0 && !session.awaitRoom(PATIENCE_NANOS)) {
      throw stuck();
    }
    Request request = session.next();
    request.kind(kind);
    request.key().room(Long.BYTES).putLong(0, key);
    request.key().length(Long.BYTES);
    request.value().room(settings.data().valueBytes());
    request.value().length(settings.data().valueBytes());
    session.submit(request);
    return request;
  }

  private IllegalStateException stuck() {
    return new IllegalStateException("The grid has stopped: " + process.failure());
  }

  @Override
  public void begin(LoadOrder order) {
    Mix mix = new Mix(order.writePercent(), Double.parseDouble(order.variant()), 0);
    drivers.forEach(driver -> driver.start(mix));
  }

  @Override
  public long done() {
    return drivers.stream().mapToLong(SessionDriver::done).sum();
  }

  @Override
  public void end() {
    drivers.forEach(SessionDriver::stop);
  }

  @Override
  public boolean isIdle() {
    return drivers.stream().allMatch(SessionDriver::isIdle);
  }

  @Override
  public String failure() {
    if (process.failure() != null) {
      return process.failure();
    }
    return drivers.stream()
        .filter(driver -> driver.bad() != null)
        .findAny()
        .map(driver -> "An access has ended with " + driver.bad())
        .orElse(null);
  }

  /** Slow releases. */
  @Override
  public long disturbances() {
    return process.node().slowReleases();
  }

  @Override
  public void close() {
    process.close();
  }
}
