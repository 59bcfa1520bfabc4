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
package org.orcagrid.ddp.map;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.log.RecoveryReport;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/**
 * The maps of a grid as one of its nodes has them, which is in this process or at the other end of
 * a connection. Safe for use by many threads.
 */
public interface Maps {
  /** The place of no node: {@link #self} of maps that are not of this process. */
  int ELSEWHERE = -1;

  /**
   * What a node says of a map.
   *
   * @param serves whether it serves the map: before that it has a part of it
   * @param recovery what its last start has found, null if nothing is known yet
   */
  record MapState(boolean serves, RecoveryReport recovery) {}

  /** The place of the node, {@link #ELSEWHERE} if it is not in this process. */
  int self();

  /**
   * Whether sessions of a map may be those of another process or node, now or later. Such a session
   * is followed by another one elsewhere, and what it writes bears the mark of its node.
   */
  default boolean isElsewhere(MapDefinition map) {
    return self() == ELSEWHERE;
  }

  /** What has ended the node or the way to it for good, null if nothing has. */
  Throwable failure();

  /** Whether this is a thread that does the maps' work: it must not wait for any of them. */
  boolean isWorker();

  /**
   * Adds a map, or finds the one that is there, and waits until the node has it or knows who has.
   *
   * @param copies at how many nodes it lives if it is added, 0 for all; one that is there has to
   *     have as many, unless this is 0
   * @throws IllegalStateException if there is a map of this name and another model or another
   *     number of copies, or the node has failed
   * @throws IOException if that cannot be agreed on in time
   */
  MapDefinition define(String name, Ddp model, Conflicts conflicts, int copies, long nanosMax)
      throws IOException, InterruptedException;

  /** The same for a map at every node, or one that is there with any number of copies. */
  default MapDefinition define(String name, Ddp model, Conflicts conflicts, long nanosMax)
      throws IOException, InterruptedException {
    return define(name, model, conflicts, 0, nanosMax);
  }

  /**
   * The maps that there are, in the view that the node has installed, in the order of their
   * numbers.
   *
   * @throws IllegalStateException if the node is in no view, or has failed
   * @throws IOException if it does not answer in time
   */
  List<MapDefinition> definitions() throws IOException, InterruptedException;

  /**
   * Removes a map and all that is in it, at all nodes, for good; when this returns, the node does
   * not serve it any more.
   *
   * @throws IOException if that cannot be agreed on in time, or the node does not follow
   */
  void remove(String name, long nanosMax) throws IOException, InterruptedException;

  /**
   * Opens a session, which costs little. Its operations wait until the node serves.
   *
   * @throws IllegalStateException if the node does not have the map at present, or cannot be
   *     reached
   */
  MapSession openSession(MapDefinition map);

  /**
   * The same, and does not wait for a connection.
   *
   * @throws NotBegunException if that would be needed: it is made meanwhile
   * @throws IllegalStateException if the node does not have the map at present, or was left
   */
  default MapSession openSessionNow(MapDefinition map) {
    return openSession(map);
  }

  /**
   * What the node says of a map, after all that was begun before by this thread.
   *
   * @throws IllegalStateException if the node does not have the map at present
   */
  CompletableFuture<MapState> state(MapDefinition map);

  /**
   * Tells of what becomes visible in a map at the node from now on, or from when it serves, until
   * {@link #unwatch}. What becomes visible while the node is left out is told when it serves again;
   * of a key that has changed more than once meanwhile only the last version is.
   *
   * @return done once watching has begun; fails if the node cannot be reached, or does not have the
   *     map
   * @throws IllegalStateException if the node has failed or was closed, or the map was removed
   */
  CompletableFuture<Void> watch(MapDefinition map, MapWatcher watcher);

  /** Tells it no more, some time after this returns. */
  void unwatch(MapDefinition map, MapWatcher watcher);
}
