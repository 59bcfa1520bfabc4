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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.Recovery;

/**
 * Opens a node's journals, and maps with what these hold. Needs no view that the node is in, only
 * the grid and the maps' definitions. Used by one thread at a time.
 */
final class MapOpener {
  private final MapSizes sizes;
  private final HostedMaps.Providers around;
  private final Watchers watchers;
  private final BiConsumer<MapDefinition, Integer> caughtUp;

  /** Those of the workers in this life of the node; none before they were read. */
  private final Map<MapsEngine, WorkerJournal> journals = new HashMap<>();

  private boolean isRead;

  /**
   * Opens maps of a node.
   *
   * @param caughtUp is told of the views in which a map has caught up
   */
  MapOpener(
      MapSizes sizes,
      HostedMaps.Providers around,
      Watchers watchers,
      BiConsumer<MapDefinition, Integer> caughtUp) {
    this.sizes = sizes;
    this.around = around;
    this.watchers = watchers;
    this.caughtUp = caughtUp;
  }

  /**
   * Opens and reads the journals of a life of the node, once, and hands them to their workers.
   *
   * @param newest of the views that are known, which says whose the maps are, and which are gone
   * @throws IOException if what is kept here is of another grid, or cannot be read
   */
  void read(AgreedView newest, List<MapsEngine> engines) throws IOException {
    if (isRead) {
      return;
    }
    long grid = newest.nodes().grid();
    IntPredicate isGone = newest.gone();
    around.media().use(grid, sizes.workers());
    if (around.zones() != null) {
      around.zones().use(grid);
    }
    for (MapsEngine engine : engines) {
      DurableMedium medium = around.media().open(engine.number());
      if (medium != null) {
        WorkerJournal journal = read(medium, engine, isGone);
        journals.put(engine, journal);
        engine.execute(() -> engine.begin(journal));
      }
    }
    isRead = true;
  }

  private WorkerJournal read(DurableMedium medium, MapsEngine engine, IntPredicate isGone)
      throws IOException {
    try {
      return new WorkerJournal(engine, medium, around.wall(), isGone);
    } catch (IOException | RuntimeException | Error e) {
      try {
        medium.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /** Before it is agreed on: a node that cannot have a map of the view ends. */
  void requirePlace(String name, Ddp model) {
    if (model.persistency().isOnMedium() && !around.media().isThere()) {
      throw new IllegalStateException(
          "The map '"
              + name
              + "' ("
              + model
              + ") cannot be durable, as this grid has no folder: start it with one, as with"
              + " EmbeddedGrid.Settings.DEFAULT.withFolder(path), or take "
              + Ddp.of(model.consistency(), Persistency.NONE)
              + ", which is in memory only");
    }
  }

  /** The workers have ended this life of the node, and closed its journals. */
  void end() {
    journals.clear();
    isRead = false;
  }

  /**
   * Gives up what the journals have of maps that are known to be gone, or gone from here. One that
   * a view does not have yet is not: it may be in the next one.
   */
  void retain(AgreedView view) {
    IntPredicate isGone = view.goneFrom(sizes.self());
    journals.forEach(
        (engine, journal) -> {
          journal.drop(isGone);
          engine.execute(() -> engine.forget(isGone));
        });
  }

  /**
   * Opens a map with what its worker's journal has of it, before the worker knows of it. One in
   * memory only has nothing.
   *
   * @param engine of the worker that is to have it
   * @throws IOException if this node can have no durable maps
   */
  HostedMap open(MapDefinition map, MapsEngine engine) throws IOException {
    if (!map.isOnMedium()) {
      return open(map, engine, Integer.MAX_VALUE, new Recovery(), null);
    }
    WorkerJournal journal = journals.get(engine);
    if (journal == null) {
      throw new IOException(
          "This grid has no folder where the map '" + map.name() + "' would be durable");
    }
    return open(map, engine, journal.recordBytesMax(), journal.take(map.id()), journal.lastMark());
  }

  private HostedMap open(
      MapDefinition map,
      MapsEngine engine,
      int recordBytesMax,
      Recovery recovery,
      LogRecord.Mark mark) {
    return new HostedMap(
        map,
        sizes.ofReplica(map, recordBytesMax),
        engine,
        recovery,
        mark,
        inView -> caughtUp.accept(map, inView),
        around.wall(),
        watchers);
  }
}
