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
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.segment.DurableFiles;

/**
 * A medium for each map, all of one kind, in a folder of a node's own:
 *
 * <pre>
 * grid                which grid this is of
 * medium              which kind of medium the maps have
 * map-ID-NAME/        the medium of a map
 * </pre>
 */
public final class FolderMedia implements MapMedia {
  private static final String MARK = "grid";
  private static final String KIND = "medium";

  private static final String PREFIX = "map-";

  private final Path folder;
  private final MediumKind kind;
  private final ThreadFactory threads;
  private boolean used;

  /**
   * Media in a folder.
   *
   * @param threads makes the threads of the maps' media
   */
  public FolderMedia(Path folder, MediumKind kind, ThreadFactory threads) {
    this.folder = folder;
    this.kind = kind;
    this.threads = threads;
  }

  @Override
  public void use(long grid) throws IOException {
    if (used) {
      return;
    }
    DurableFiles.makeFolder(folder.toAbsolutePath());
    Path mark = folder.resolve(MARK);
    String own = grid + "\n";
    if (Files.exists(mark)) {
      String there = Files.readString(mark);
      if (!there.equals(own)) {
        throw new IOException(
            folder
                + " holds maps of another grid ("
                + there.strip()
                + ", this one is "
                + grid
                + "): give this node another folder, or bring back the ensemble that knows that"
                + " grid");
      }
    } else if (!folders().isEmpty()) {
      throw new IOException(
          folder + " holds maps and does not say of which grid: " + mark + " is missing");
    } else {
      write(folder.resolve(KIND), kind.name() + "\n");
      write(mark, own);
    }
    requireKind();
    used = true;
  }

  /** With another kind of medium the maps would seem to be empty. */
  private void requireKind() throws IOException {
    Path mark = folder.resolve(KIND);
    if (!Files.exists(mark)) {
      throw new IOException(
          folder
              + " holds maps and does not say in what kind of medium: "
              + mark
              + " is missing, or an earlier development version has written the folder, whose maps"
              + " cannot be read any more");
    }
    String there = Files.readString(mark).strip();
    if (!there.equals(kind.name())) {
      throw new IOException(
          folder
              + " holds maps in media of the kind '"
              + there
              + "', and this node was started with '"
              + kind.name()
              + "': start it with the former, or on an empty folder, which it fills from the other"
              + " nodes");
    }
  }

  private static void write(Path file, String text) throws IOException {
    DurableFiles.write(file, StandardCharsets.UTF_8.encode(text));
  }

  private List<Path> folders() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> path.getFileName().toString().startsWith(PREFIX)).toList();
    }
  }

  private Path folder(MapDefinition map) {
    return folder.resolve(PREFIX + map.id() + "-" + map.name());
  }

  @Override
  public DurableMedium open(MapDefinition map) throws IOException {
    return kind.open(folder(map), threads);
  }

  @Override
  public void retain(Iterable<MapDefinition> there) throws IOException {
    Set<Path> kept = new HashSet<>();
    there.forEach(map -> kept.add(folder(map)));
    for (Path each : folders()) {
      if (!kept.contains(each)) {
        delete(each);
      }
    }
  }

  private static void delete(Path medium) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(medium)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.delete(each);
    }
  }
}
