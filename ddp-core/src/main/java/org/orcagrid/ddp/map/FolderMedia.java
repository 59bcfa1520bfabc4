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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.segment.DurableFiles;

/**
 * A medium for each worker, all of one kind, in a folder of a node's own:
 *
 * <pre>
 * grid                which grid this is of
 * medium              which kind of medium the workers have
 * workers             how many workers share the maps
 * journal-K/          the medium of worker K
 * </pre>
 */
public final class FolderMedia implements MapMedia {
  private static final String GRID = "grid";
  private static final String KIND = "medium";
  private static final String WORKERS = "workers";
  private static final String JOURNAL = "journal-";

  private final Path folder;
  private final MediumKind kind;
  private final ThreadFactory threads;
  private boolean used;

  /**
   * Media in a folder.
   *
   * @param threads makes the threads of the workers' media
   */
  public FolderMedia(Path folder, MediumKind kind, ThreadFactory threads) {
    this.folder = folder;
    this.kind = kind;
    this.threads = threads;
  }

  @Override
  public void use(long grid, int workers) throws IOException {
    if (used) {
      return;
    }
    DurableFiles.makeFolder(folder.toAbsolutePath());
    if (isNew()) {
      write(KIND, kind.name());
      write(WORKERS, Integer.toString(workers));
      // The last one: what is not there yet is made anew after a crash.
      write(GRID, Long.toString(grid));
    }
    require(
        GRID,
        Long.toString(grid),
        "are of grid '%s', and this one is '%s': give this node another folder, or bring back the"
            + " ensemble that knows that grid");
    // With another kind of medium, or other workers, the maps would seem to be empty.
    require(
        KIND,
        kind.name(),
        "are in media of the kind '%s', and this node was started with '%s': start it with the"
            + " former, or on an empty folder, which it fills from the other nodes");
    require(
        WORKERS,
        Integer.toString(workers),
        "are in the journals of %s workers, and this node was started with %s: start it with as"
            + " many as before (grid.workers), or on an empty folder, which it fills from the other"
            + " nodes");
    used = true;
  }

  private boolean isNew() throws IOException {
    if (Files.exists(folder.resolve(GRID))) {
      return false;
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString())
          .noneMatch(name -> name.startsWith(JOURNAL));
    }
  }

  private void require(String file, String value, String otherwise) throws IOException {
    Path mark = folder.resolve(file);
    if (!Files.exists(mark)) {
      throw new IOException(
          "The maps in "
              + folder
              + " cannot be read: "
              + mark
              + " is missing, or an earlier development version has written them. Restore the file,"
              + " or give this node an empty folder, which it fills from the other nodes");
    }
    String there = Files.readString(mark).strip();
    if (!there.equals(value)) {
      throw new IOException(
          "The maps in " + folder + " " + String.format(Locale.ROOT, otherwise, there, value));
    }
  }

  private void write(String file, String value) throws IOException {
    DurableFiles.write(folder.resolve(file), StandardCharsets.UTF_8.encode(value + "\n"));
  }

  @Override
  public DurableMedium open(int worker) throws IOException {
    return kind.open(folder.resolve(JOURNAL + worker), threads);
  }
}
