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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Deadlines;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.KeyView;
import org.orcagrid.client.SharedViews;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.server.settings.OrcaConfigException;

/** A {@link GridProcess} whose maps are used, or its keys through the client. */
final class MapProcess implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(100);

  /** Nothing is taken out of a log while maps are used: room for all that a run writes. */
  private static final SegmentLimits LOG =
      new SegmentLimits(
          SegmentLimits.DEFAULT.segmentBytes(),
          SegmentLimits.DEFAULT.recordBytesMax(),
          SegmentLimits.DEFAULT.unforcedBytesMax(),
          16L << 30);

  /** What `Grid.view` takes at most. */
  private static final int SHARED_SESSIONS = 64;

  private final GridProcess process;
  private final Deadlines deadlines = new Deadlines();

  /**
   * Starts it; returns when it serves, with all others there.
   *
   * @throws IOException if it cannot be started
   */
  MapProcess(LoadSettings settings) throws IOException, InterruptedException, OrcaConfigException {
    int sessions =
        SHARED_SESSIONS + settings.pressure().threads() * settings.use().variants().size();
    process =
        new GridProcess(
            settings,
            usual -> KeyRoom.in(usual, settings.data(), sessions).withMedium(LogMedium.kind(LOG)));
  }

  HostedMaps node() {
    return process.node().maps();
  }

  /** Those of the node's keys so far. */
  long slowReleases() {
    return process.node().slowReleases();
  }

  /** The map that has a model; all processes have the same. */
  MapDefinition map(String model) throws IOException, InterruptedException {
    return map(name(model), Ddp.parse(model));
  }

  MapDefinition map(String name, Ddp model) throws IOException, InterruptedException {
    return node().define(name, model, Conflicts.ABORT, PATIENCE_NANOS);
  }

  /** What its map is called. */
  static String name(String model) {
    return model.replace('/', '-');
  }

  /** Those of all that this process does. */
  Deadlines deadlines() {
    return deadlines;
  }

  /** A session of the node's keys that takes so many operations at once. */
  GridSession openSession(int depth) {
    return new GridSession(
        process.node().openSession(depth), process.node().valueBytesMax(), deadlines);
  }

  /** The node's keys for many threads. */
  KeyView<Long, byte[]> sharedKeys() {
    return SharedViews.of(process.node(), deadlines).view(Codec.LONG, Codec.BYTES);
  }

  /** The view, and what each map has under way. */
  String state() {
    AgreedView view = node().view();
    StringBuilder text = new StringBuilder("node " + node().self() + " in " + view);
    for (MapDefinition map : view == null ? List.<MapDefinition>of() : view.maps()) {
      text.append("; ").append(map).append(": ");
      text.append(node().ask(map, Replica::toString).orTimeout(1, TimeUnit.SECONDS).join());
    }
    return text.toString();
  }

  /** What has ended the node, null if nothing has. */
  String failure() {
    return process.failure();
  }

  @Override
  public void close() {
    process.close();
  }
}
