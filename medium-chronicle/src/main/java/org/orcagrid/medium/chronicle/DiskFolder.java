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
package org.orcagrid.medium.chronicle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.orcagrid.ddp.durable.segment.DurableFiles;
import org.orcagrid.ddp.durable.segment.FolderLock;

/** A folder of the file system that belongs to this process. */
final class DiskFolder implements MapFolder {
  private static final int HEAD_BYTES = 4096;

  private final Path folder;
  private final FolderLock lock;

  /** Makes the folder if there is none, and locks it. */
  DiskFolder(Path folder) throws IOException {
    this.folder = folder;
    this.lock = FolderLock.take(folder);
  }

  @Override
  public Path path(int file) {
    return folder.resolve("map-" + file);
  }

  @Override
  public long size(int file) throws IOException {
    return Files.exists(path(file)) ? Files.size(path(file)) : -1;
  }

  @Override
  public int head(int file) throws IOException {
    try (InputStream content = Files.newInputStream(path(file))) {
      CRC32C crc = new CRC32C();
      crc.update(content.readNBytes(HEAD_BYTES));
      return (int) crc.getValue();
    }
  }

  @Override
  public void copy(int from, int to) throws IOException {
    Files.copy(path(from), path(to), StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(int file) throws IOException {
    Files.deleteIfExists(path(file));
  }

  @Override
  public void force(int file) throws IOException {
    // What was written through a mapping is in the same pages, and is forced with them.
    try (FileChannel channel = FileChannel.open(path(file), StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    DurableFiles.sync(folder);
  }

  @Override
  public ByteBuffer readManifest() throws IOException {
    Path manifest = folder.resolve("manifest");
    return Files.exists(manifest) ? ByteBuffer.wrap(Files.readAllBytes(manifest)) : null;
  }

  @Override
  public void writeManifest(ByteBuffer manifest) throws IOException {
    DurableFiles.write(folder.resolve("manifest"), manifest.duplicate());
  }

  @Override
  public String path(String name) {
    return folder.resolve(name).toString();
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
