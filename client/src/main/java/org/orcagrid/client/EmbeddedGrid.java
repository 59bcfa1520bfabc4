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
package org.orcagrid.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.orcagrid.client.map.EmbeddedNodes;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.NodeMaps;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;

/**
 * A grid whose nodes are all in this JVM: for one program's threads, and for tests of programs that
 * will have several machines. Its threads are daemons. Sessions keep everything in memory, gone
 * when the grid is closed, and so do maps of models with {@code none} persistency, as in {@code
 * linearizable/none}. All other maps are durable in a folder, and are there again when a grid is
 * started on it.
 */
public final class EmbeddedGrid implements Grid, NodeMaps {
  private final Settings settings;
  private final EmbeddedNodes nodes;
  private final AtomicInteger opened = new AtomicInteger();

  /** Of each node. */
  private final List<SharedViews> views;

  /**
   * What an embedded grid is made of.
   *
   * @param nodes replica nodes, 1 to 9
   * @param sessionsPerNode sessions that can be open at a node
   * @param valueBytesMax bytes of a value at most
   * @param bytesMax bytes of all keys and values at most, outside the heap; used as they are needed
   * @param folder where maps are durable, a folder for each node; null for a grid whose maps are in
   *     memory only, of models with {@code none} persistency
   * @param medium of which kind the maps' media are; the same at each start on a folder
   */
  public record Settings(
      int nodes,
      int sessionsPerNode,
      int valueBytesMax,
      long bytesMax,
      Path folder,
      MediumKind medium) {
    /** One node, 256 sessions, values of 64 KB, 1 GB, maps in memory only. */
    public static final Settings DEFAULT = new Settings(1, 256, 64 << 10, 1L << 30);

    /** With maps in memory only. */
    public Settings(int nodes, int sessionsPerNode, int valueBytesMax, long bytesMax) {
      this(
          nodes,
          sessionsPerNode,
          valueBytesMax,
          bytesMax,
          null,
          LogMedium.kind(SegmentLimits.DEFAULT));
    }

    /** The same with another number of nodes. */
    public Settings withNodes(int count) {
      return new Settings(count, sessionsPerNode, valueBytesMax, bytesMax, folder, medium);
    }

    /** The same with maps that are durable in a folder, made if there is none. */
    public Settings withFolder(Path mapsFolder) {
      return new Settings(nodes, sessionsPerNode, valueBytesMax, bytesMax, mapsFolder, medium);
    }

    /** The same with maps that are durable in another kind of medium than logs. */
    public Settings withMedium(MediumKind kind) {
      return new Settings(nodes, sessionsPerNode, valueBytesMax, bytesMax, folder, kind);
    }
  }

  private EmbeddedGrid(Settings settings, EmbeddedNodes nodes) {
    this.settings = settings;
    this.nodes = nodes;
    this.views =
        IntStream.range(0, settings.nodes())
            .mapToObj(node -> SharedViews.of(nodes.keys(node), nodes.deadlines()))
            .toList();
  }

  /** Starts a grid; returns when it serves. */
  static EmbeddedGrid start(Settings settings) {
    try {
      return new EmbeddedGrid(settings, EmbeddedNodes.start(settings));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while starting an embedded grid", e);
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException("An embedded grid cannot be started: " + e.getMessage(), e);
    }
  }

  /** Opens a session at one node after the other. */
  @Override
  public GridSession openSession() {
    return openSession(Math.floorMod(opened.getAndIncrement(), settings.nodes()));
  }

  /** Opens a session at a node. */
  public GridSession openSession(int node) {
    return new GridSession(
        nodes.keys(node).openSession(), nodes.keys(node).valueBytesMax(), nodes.deadlines());
  }

  /**
   * {@inheritDoc}
   *
   * <p>At the first node.
   */
  @Override
  public <K, V> KeyView<K, V> view(Codec<K> keys, Codec<V> values) {
    return view(0, keys, values);
  }

  /** The same at another node; each node has sessions of its own for it. */
  public <K, V> KeyView<K, V> view(int node, Codec<K> keys, Codec<V> values) {
    return views.get(node).view(keys, values);
  }

  @Override
  public EmbeddedGrid sharedSessions(int most) {
    views.forEach(each -> each.sessionsMax(most));
    return this;
  }

  /** Takes a node away for good, as if its machine had crashed. */
  public void crash(int node) {
    nodes.stop(node);
  }

  /**
   * The maps as one node has them: what is written at one is visible at another as the model says.
   * Without a folder there are only maps in memory, as of {@code linearizable/none}.
   */
  public GridMaps maps(int node) {
    return nodes.host(node);
  }

  /** The maps as the first node has them. */
  @Override
  public GridMaps maps() {
    return maps(0);
  }

  @Override
  public DeadlineFigures deadlines() {
    return nodes.deadlines().figures();
  }

  @Override
  public void close() {
    nodes.close();
  }
}
