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

import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.map.Views;
import org.orcagrid.node.NodeSettings;

/**
 * A grid, as a program has it: with all its nodes in this process, as one of its nodes, or from
 * outside. What it has is the same each way. Safe for use by many threads.
 */
public interface Grid extends GridMaps, AutoCloseable {

  /** Starts a grid of one node in this process, with keys and without maps. */
  static EmbeddedGrid embedded() {
    return embedded(1);
  }

  /** Starts a grid of so many nodes in this process, as if they were machines; without maps. */
  static EmbeddedGrid embedded(int nodes) {
    return embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(nodes));
  }

  /**
   * Starts a grid whose nodes are all in this process; returns when it serves.
   *
   * @throws IllegalStateException if it cannot be started, saying why
   */
  static EmbeddedGrid embedded(EmbeddedGrid.Settings settings) {
    return EmbeddedGrid.start(settings);
  }

  /**
   * Makes this process a node of a grid; {@link MemberGrid#awaitServing} waits until it serves.
   *
   * @throws IllegalArgumentException if the settings have no ensemble
   * @throws IllegalStateException if the node cannot be started, saying why
   */
  static MemberGrid join(NodeSettings settings) {
    return MemberGrid.join(settings);
  }

  /**
   * The same with another membership than the settings': their ensemble is not used.
   *
   * @param membership closed with the grid
   * @throws IllegalStateException if the node cannot be started, saying why
   */
  static MemberGrid join(NodeSettings settings, Views membership) {
    return MemberGrid.join(settings, membership);
  }

  /**
   * Connects to a grid in other processes.
   *
   * @param nodes where some of its nodes listen, as in {@code host:7100,host:7101}
   * @throws IllegalStateException if none can be reached, saying why for each
   */
  static RemoteGrid connect(String nodes) {
    return connect(RemoteGrid.Settings.of(nodes));
  }

  /** The same with other settings. */
  static RemoteGrid connect(RemoteGrid.Settings settings) {
    return RemoteGrid.connect(settings);
  }

  /**
   * Opens a session on the grid's keys.
   *
   * @throws IllegalStateException if all sessions are in use
   */
  GridSession openSession();

  /** What has become of the deadlines of asynchronous operations; cheap, any thread. */
  DeadlineFigures deadlines();

  /** Leaves the grid. What was under way has an unknown outcome. */
  @Override
  void close();
}
