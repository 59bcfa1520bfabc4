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
package org.orcagrid.jcache;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;

/**
 * The embedded grids of a provider's managers. Those with the same folder share one; a manager
 * without a folder has one of its own in a temporary folder, which is deleted when the manager is
 * closed or the JVM ends in good order. Safe for use by many threads.
 */
final class EmbeddedGrids {
  private static final System.Logger LOG = System.getLogger("org.orcagrid.jcache");

  /** Caches are maps: nobody has sessions on these grids. */
  private static final EmbeddedGrid.Settings SMALL = new EmbeddedGrid.Settings(1, 1, 1024, 1 << 20);

  private final Map<Path, Shared> open = new HashMap<>();

  /** A grid that is in use. */
  private static final class Shared {
    private final int nodes;
    private final EmbeddedGrid grid;
    private int users;

    private Shared(int nodes, EmbeddedGrid grid) {
      this.nodes = nodes;
      this.grid = grid;
    }
  }

  /** The grid that the settings ask for. */
  GridLease use(ManagerSettings settings) {
    return settings.folder() == null ? temporary(settings) : shared(settings);
  }

  private synchronized GridLease shared(ManagerSettings settings) {
    Path folder = settings.folder();
    Shared shared = open.get(folder);
    if (shared == null) {
      shared = new Shared(settings.nodes(), start(settings.nodes(), folder));
      open.put(folder, shared);
    } else if (shared.nodes != settings.nodes()) {
      throw new CacheException(
          ManagerSettings.PREFIX
              + "nodes="
              + settings.nodes()
              + ": the grid in "
              + folder
              + " is in use by another cache manager, with "
              + shared.nodes
              + "; say the same here");
    }
    shared.users++;
    return new GridLease(shared.grid.maps(), folder, () -> leave(folder));
  }

  private synchronized void leave(Path folder) {
    Shared shared = open.get(folder);
    shared.users--;
    if (shared.users == 0) {
      open.remove(folder);
      shared.grid.close();
    }
  }

  private static GridLease temporary(ManagerSettings settings) {
    Path folder;
    try {
      folder = Files.createTempDirectory("orca-jcache-");
    } catch (IOException e) {
      throw new CacheException(
          "No temporary folder can be made for the grid of a cache manager; name one with "
              + ManagerSettings.PREFIX
              + "folder: "
              + e,
          e);
    }
    EmbeddedGrid grid;
    try {
      grid = start(settings.nodes(), folder);
    } catch (CacheException e) {
      delete(folder);
      throw e;
    }
    Thread atEnd =
        new Thread(
            () -> {
              grid.close();
              delete(folder);
            },
            "orca-jcache-end");
    Runtime.getRuntime().addShutdownHook(atEnd);
    return new GridLease(
        grid.maps(),
        folder,
        () -> {
          try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
          } catch (IllegalStateException e) {
            LOG.log(Level.DEBUG, "The JVM is ending, and deletes {0}", folder);
            return;
          }
          grid.close();
          delete(folder);
        });
  }

  private static EmbeddedGrid start(int nodes, Path folder) {
    try {
      return Grid.embedded(SMALL.withNodes(nodes).withFolder(folder));
    } catch (RuntimeException e) {
      throw new CacheException(
          "The grid of a cache manager cannot be started in " + folder + ": " + e.getMessage(), e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "The temporary folder " + folder + " is left behind", e);
    }
  }
}
