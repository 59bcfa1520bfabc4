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
package org.orcagrid.membership.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.orcagrid.ddp.durable.segment.DurableFiles;
import org.orcagrid.ddp.durable.segment.FolderLock;
import org.orcagrid.ddp.map.AgreedView;

/**
 * What a node's folder knows of its place in a grid, in the folder {@code place}. One process at a
 * time has it, so that the lives at a place follow each other.
 *
 * <pre>
 * identity   tells this folder from all others
 * life       the number of the last life that has begun here
 * view       the grid and the number of the newest view that a life was told of
 * </pre>
 */
final class PlaceFolder implements AutoCloseable {
  private static final int RADIX = 10;

  private final Path folder;
  private final FolderLock lock;
  private final String identity;

  private PlaceFolder(Path folder, FolderLock lock, String identity) {
    this.folder = folder;
    this.lock = lock;
    this.identity = identity;
  }

  /**
   * Takes the place of a node's folder.
   *
   * @throws IOException if another process has it, or it cannot be written
   */
  static PlaceFolder take(Path node) throws IOException {
    Path folder = node.resolve("place");
    FolderLock lock = FolderLock.take(folder);
    try {
      Path file = folder.resolve("identity");
      if (!Files.exists(file)) {
        write(file, UUID.randomUUID().toString());
      }
      return new PlaceFolder(folder, lock, Files.readString(file).strip());
    } catch (IOException e) {
      try {
        lock.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private static void write(Path file, String text) throws IOException {
    DurableFiles.write(file, StandardCharsets.UTF_8.encode(text + "\n"));
  }

  String identity() {
    return identity;
  }

  /**
   * A number for a life that begins: larger than those of all before it at its place.
   *
   * @param last the largest that views and registrations tell of the place; another folder may have
   *     had it
   */
  long nextLife(long last, long nowMillis) throws IOException {
    Path file = folder.resolve("life");
    long own = Files.exists(file) ? number(file, Files.readString(file).strip()) : 0;
    long next = Math.max(Math.max(own, last) + 1, nowMillis);
    write(file, Long.toString(next));
    return next;
  }

  /** A node of this folder is told of a view. */
  void keep(AgreedView view) throws IOException {
    write(folder.resolve("view"), view.nodes().grid() + " " + view.number());
  }

  /**
   * Refuses a registry that knows less than this folder.
   *
   * @param grid the grid's number there, 0 for none
   * @param last the number of the last view there, 0 for none
   * @throws IOException saying what the folder knows
   */
  void requireNotBehind(String registry, long grid, int last) throws IOException {
    Path file = folder.resolve("view");
    if (!Files.exists(file)) {
      return;
    }
    String[] words = Files.readString(file).strip().split(" ", -1);
    long known = number(file, words[0]);
    long number = number(file, words[words.length - 1]);
    if (known != grid || number > last) {
      throw new IOException(
          folder
              + " was in view "
              + number
              + " of grid "
              + known
              + ", and "
              + registry
              + " knows "
              + knowledge(known == grid, grid, last)
              + ". Bring back the ensemble's data. If they are lost for good, nothing says which"
              + " nodes have all that was promised: begin a grid of another name from a backup");
    }
  }

  private static String knowledge(boolean isSame, long grid, int last) {
    if (isSame) {
      return "only views up to " + last;
    }
    return grid == 0 ? "no such grid" : "grid " + grid + " instead";
  }

  private static long number(Path file, String text) throws IOException {
    try {
      return Long.parseLong(text, RADIX);
    } catch (NumberFormatException e) {
      throw new IOException(file + " is damaged: \"" + text + "\" is no number", e);
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
