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

  /**
   * The grid's keys for any number of threads, virtual ones too. Each operation is one of its own.
   * As many as there are sessions for it are under way at once; those beyond wait for one of them.
   * A {@link GridSession} is for a thread that needs the order of what it has not waited for.
   *
   * <p>What it promises:
   *
   * <ul>
   *   <li>Acquires, releases and read-modify-writes are linearizable, those of all keys together:
   *       one that has ended comes before all that any thread begins later.
   *   <li>A thread is an actor, as {@link View} has it, for its relaxed writes: they are there for
   *       an acquire that reads what the thread releases later. After its acquire, a thread's
   *       relaxed reads find what was released. Its accesses to one key are in its order.
   *   <li>What a release or a read-modify-write has written is to be read with an acquire. A
   *       relaxed read at another node may miss it for a while, also after the acquire of a later
   *       release: that is less than a session promises.
   *   <li>All of this is about operations that have ended before others are begun. Those under way
   *       together have no order, but for relaxed writes of a thread, among each other and before a
   *       release of the thread.
   * </ul>
   *
   * <p>The order of relaxed writes belongs to the thread that has begun them. Another thread that
   * learns of them and releases does not release them.
   *
   * <p>All views of a grid are at one node and share its sessions there, 64 at most unless {@link
   * #sharedSessions} says; they are opened as they are needed, and closed with the grid. Some 256
   * operations of each may be under way, half of that from outside. One more is refused with an
   * {@link OverloadException}; a waiting form waits for room before, as long as its time-out. A
   * view ends when its node is lost, or the grid's keys begin anew: then each operation is an
   * {@link IllegalStateException} that says so, and this method gives another view. A codec runs
   * while its thread has a short lock, and must not wait.
   *
   * @throws IllegalStateException if the node has no session free, or there is none
   */
  <K, V> KeyView<K, V> view(Codec<K> keys, Codec<V> values);

  /**
   * How many of a node's sessions the grid's views share at most, from now on; those that are open
   * stay.
   *
   * @param most 1 to 64
   */
  Grid sharedSessions(int most);

  /** What has become of the deadlines of asynchronous operations; cheap, any thread. */
  DeadlineFigures deadlines();

  /** Leaves the grid. What was under way has an unknown outcome. */
  @Override
  void close();
}
