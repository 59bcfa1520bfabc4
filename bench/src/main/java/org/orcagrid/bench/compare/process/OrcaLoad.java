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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.orcagrid.bench.kite.KitePlan;
import org.orcagrid.bench.kite.Mix;
import org.orcagrid.bench.kite.SessionDriver;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.member.GridMember;
import org.orcagrid.transport.tcp.member.MemberSettings;

/**
 * A member of a grid with the settings that a member has by itself, and sessions that run in its
 * workers' threads, each with one operation under way. A variant is the share of synchronization in
 * percent: reads that are acquires, and writes that are releases.
 */
public final class OrcaLoad implements LoadTarget {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Room for the relaxed writes of a burst, which count until they are announced. */
  private static final int QUEUE = 2 * KitePlan.Grid.DEFAULT.burst();

  private static final long BYTES_OF_A_RECORD = 512;
  private static final long BYTES_MIN = 16 << 20;

  private final LoadSettings settings;
  private final GridMember member;
  private final List<SessionDriver> drivers = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * Starts it.
   *
   * @throws IOException if its port is taken
   */
  public OrcaLoad(LoadSettings settings) throws IOException, InterruptedException {
    this.settings = settings;
    LoadSettings.Pressure pressure = settings.pressure();
    Links links = new Links((settings.ports().size() - 1) * pressure.threads());
    this.member = GridMember.start(memberSettings(), links, failure::set);
    if (!links.allUp.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
      throw new IOException("The nodes have not found each other");
    }
    KitePlan.Grid grid =
        new KitePlan.Grid(
            settings.ports().size(),
            pressure.depth(),
            KitePlan.Grid.DEFAULT.burst(),
            settings.data().keys(),
            settings.data().valueBytes());
    int sessions = pressure.threads() * pressure.depthOfThread();
    for (int i = 0; i < sessions; i++) {
      drivers.add(
          new SessionDriver(member.openSession(QUEUE), grid, settings.self() * sessions + i));
    }
  }

  private MemberSettings memberSettings() {
    LoadSettings.Data data = settings.data();
    MemberSettings standard =
        MemberSettings.of(
            settings.self(),
            settings.ports().stream().map(port -> new HostPort(LoadSettings.HOST, port)).toList());
    return new MemberSettings(
        standard.cluster(),
        standard.self(),
        standard.nodes(),
        settings.pressure().threads(),
        // One more for the filling.
        settings.pressure().depthOfThread() + 1,
        data.keys(),
        Math.max(standard.valueBytesMax(), data.valueBytes()),
        Math.max(standard.bytesMax(), bytes(data)),
        standard.security());
  }

  private static long bytes(LoadSettings.Data data) {
    return data.keys() * (BYTES_OF_A_RECORD + 2L * data.valueBytes()) + BYTES_MIN;
  }

  @Override
  public String product() {
    return "Orca Grid, this build";
  }

  @Override
  public void fill() {
    try (NodeSession session = member.openSession()) {
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
    return new IllegalStateException("The grid has stopped: " + failure.get(), failure.get());
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
    if (failure.get() != null) {
      return "The node has failed: " + failure.get();
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
    return member.node().slowReleases();
  }

  @Override
  public void close() {
    member.close();
  }

  /** Waits for the links: who writes before they are up begins on the slow path. */
  private static final class Links implements LinkListener {
    private final CountDownLatch allUp = new CountDownLatch(1);
    private final Set<List<Integer>> up = new HashSet<>();
    private final int count;

    Links(int count) {
      this.count = count;
    }

    @Override
    public synchronized void onUp(int peer, int worker) {
      up.add(List.of(peer, worker));
      if (up.size() == count) {
        allUp.countDown();
      }
    }

    @Override
    public void onDown(int peer, int worker, String reason) {
      System.err.println("No connection to node " + peer + ": " + reason);
    }

    @Override
    public void onRefused(String address, String reason) {
      System.err.println(address + ": " + reason);
    }
  }
}
