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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapNode;
import org.orcagrid.ddp.map.MapView;
import org.orcagrid.ddp.membership.LeaseTimes;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.member.MapMember;
import org.orcagrid.transport.tcp.member.MapMemberSettings;

/**
 * A node of maps in a load process, as a user has it: TCP, a forced log for each map, and views
 * that an ensemble agrees on. The ensemble is one server, which the first process hosts.
 */
final class MapProcess implements AutoCloseable {
  private static final String CLUSTER = "compare";
  private static final String ENSEMBLE = "ensemble";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(100);

  /** Nothing is taken out of a log while maps are used: room for all that a run writes. */
  private static final SegmentLimits LOG =
      new SegmentLimits(
          SegmentLimits.DEFAULT.segmentBytes(),
          SegmentLimits.DEFAULT.recordBytesMax(),
          SegmentLimits.DEFAULT.unforcedBytesMax(),
          16L << 30);

  /** Null in all processes but the first. */
  private final OrcaServer server;

  /** All processors are busy here: a node that waits for one is not to be left out. */
  private static final LeaseTimes LEASE = LeaseTimes.ofLease(TimeUnit.SECONDS.toNanos(10));

  private final MapMember member;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * Starts it; returns when it serves, with all others there.
   *
   * @throws IOException if it cannot be started
   */
  MapProcess(LoadSettings settings) throws IOException, InterruptedException, OrcaConfigException {
    Path note = settings.use().folder().resolve(ENSEMBLE);
    Files.createDirectories(settings.ownFolder());
    server = settings.self() == 0 ? host(settings, note) : null;
    HostPort address = new HostPort(LoadSettings.HOST, settings.ports().get(settings.self()));
    Path maps = settings.ownFolder().resolve("maps");
    MapMemberSettings usual =
        MapMemberSettings.of(CLUSTER, settings.ports().size(), address, maps).withLease(LEASE);
    member =
        MapMember.start(
            usual.withMedium(LogMedium.kind(LOG)),
            usual.membership(awaitText(note)),
            LinkListener.NONE,
            failure::set);
    awaitAll(settings.ports().size());
  }

  private static OrcaServer host(LoadSettings settings, Path note)
      throws IOException, OrcaConfigException {
    OrcaServer started =
        OrcaServer.start(OrcaServerConfig.standalone(settings.ownFolder().resolve("server")));
    Path next = note.resolveSibling(ENSEMBLE + ".next");
    Files.writeString(next, started.connectString(), StandardCharsets.UTF_8);
    Files.move(next, note, StandardCopyOption.ATOMIC_MOVE);
    return started;
  }

  private static String awaitText(Path note) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!Files.exists(note)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("The first process has not started the ensemble");
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    return Files.readString(note);
  }

  /** A map that is filled before all are there would be copied to those that come later. */
  private void awaitAll(int size) throws IOException, InterruptedException {
    int all = (1 << size) - 1;
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (node().view() == null || node().view().replicas().serving() != all) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("The nodes have not found each other; the view is " + node().view());
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    if (!node().awaitServing(PATIENCE_NANOS)) {
      throw new IOException("The node does not serve");
    }
  }

  MapNode node() {
    return member.node();
  }

  /** The map that has a model; all processes have the same. */
  MapDefinition map(String model) throws IOException, InterruptedException {
    return node().define(name(model), Ddp.parse(model), Conflicts.ABORT, PATIENCE_NANOS);
  }

  /** What its map is called. */
  static String name(String model) {
    return model.replace('/', '-');
  }

  /** The view, and what each map has under way. */
  String state() {
    MapView view = node().view();
    StringBuilder text = new StringBuilder("node " + node().self() + " in " + view);
    for (MapDefinition map : view == null ? List.<MapDefinition>of() : view.maps()) {
      text.append("; ").append(map).append(": ");
      text.append(node().ask(map, Replica::toString).orTimeout(1, TimeUnit.SECONDS).join());
    }
    return text.toString();
  }

  /** What has ended the node, null if nothing has. */
  String failure() {
    Throwable reason = failure.get();
    return reason == null ? null : "The node has failed: " + reason;
  }

  @Override
  public void close() {
    member.close();
    if (server != null) {
      server.close();
    }
  }
}
