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
package org.orcagrid.client.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.map.FolderMedia;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.map.MapNode;
import org.orcagrid.ddp.map.MapSizes;

/** Nodes of maps that are all in this JVM; their maps are durable in a folder. */
public final class EmbeddedMaps implements AutoCloseable {
  private static final int PACKET_BYTES_MAX = 64 << 10;

  private final LocalViews views;
  private final LongSupplier nowMillis;
  private final List<MapNode> nodes = new ArrayList<>();

  private EmbeddedMaps(LocalViews views, LongSupplier nowMillis) {
    this.views = views;
    this.nowMillis = nowMillis;
  }

  /**
   * Starts nodes.
   *
   * @param medium of which kind the maps' media are; the same at each start on a folder
   * @throws IOException if the folder cannot be used, or is of another number of nodes
   */
  public static EmbeddedMaps start(int nodes, Path folder, MediumKind medium)
      throws IOException, InterruptedException {
    return start(nodes, folder, medium, System::currentTimeMillis);
  }

  /** The same with another wall clock. */
  static EmbeddedMaps start(int nodes, Path folder, MediumKind medium, LongSupplier nowMillis)
      throws IOException, InterruptedException {
    LoopbackNetwork network = new LoopbackNetwork(nodes, 1, PACKET_BYTES_MAX);
    EmbeddedMaps maps =
        new EmbeddedMaps(
            LocalViews.open(nodes, folder, System::nanoTime, threads("orca-maps-views")),
            nowMillis);
    try {
      for (int node = 0; node < nodes; node++) {
        maps.nodes.add(
            MapNode.start(
                MapSizes.of(nodes, node),
                new MapNode.Surroundings(
                    network.transport(node),
                    maps.views.membership(node),
                    new FolderMedia(
                        folder.resolve("node-" + node),
                        medium,
                        threads("orca-maps-" + node + "-medium")),
                    System::nanoTime,
                    threads("orca-maps-" + node),
                    // Its sessions say what has ended it.
                    reason -> {},
                    Lifetimes.clock(nowMillis),
                    null)));
      }
      return maps;
    } catch (IOException | InterruptedException | RuntimeException e) {
      maps.close();
      throw e;
    }
  }

  private static ThreadFactory threads(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** The maps as a node has them. */
  public MapGrid host(int node) {
    return new MapHost(nodes.get(node), nowMillis);
  }

  /** Takes a node away for good. */
  public void stop(int node) {
    nodes.get(node).close();
  }

  @Override
  public void close() {
    // First: those that served together come back together.
    views.close();
    nodes.forEach(MapNode::close);
  }
}
