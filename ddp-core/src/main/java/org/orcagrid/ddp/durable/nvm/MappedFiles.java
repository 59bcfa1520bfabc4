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
package org.orcagrid.ddp.durable.nvm;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.orcagrid.ddp.durable.segment.SegmentFile;
import org.orcagrid.ddp.durable.segment.SegmentFolder;

/** Segments in files that are mapped as a whole. */
final class MappedFiles extends SegmentFolder {
  private static final int PROBE_BYTES = 4096;

  private final MapMode mode;

  /** A file that is used again keeps its mapping, which only the garbage collector can undo. */
  private final Map<Path, MappedByteBuffer> mappings = new HashMap<>();

  /**
   * Makes and locks a folder.
   *
   * @throws IOException if its file system cannot map files in this mode
   */
  MappedFiles(Path folder, MapMode mode) throws IOException {
    super(folder);
    this.mode = mode;
    try {
      probe(folder);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void probe(Path folder) throws IOException {
    Path file = folder.resolve("probe");
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.map(mode, 0, PROBE_BYTES);
    } catch (IOException | UnsupportedOperationException e) {
      throw new IOException(
          "The folder "
              + folder
              + " is not on persistent memory that can be mapped (mode "
              + mode
              + "): choose one on a file system that is mounted with DAX, or the medium \"log\"",
          e);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Override
  protected SegmentFile file(Path path, FileChannel channel) throws IOException {
    try {
      int bytes = (int) Math.min(Integer.MAX_VALUE, channel.size());
      MappedByteBuffer mapping = mappings.get(path);
      if (mapping == null || mapping.capacity() != bytes) {
        // The length is in the file system's own records, which a mapping does not force.
        channel.force(true);
        mapping = channel.map(mode, 0, bytes);
        mappings.put(path, mapping);
      }
      return new MappedFile(mapping);
    } catch (IOException | UnsupportedOperationException e) {
      throw new IOException("Cannot map " + path + " (" + e.getMessage() + ")", e);
    } finally {
      // A mapping needs no open file.
      channel.close();
    }
  }
}
