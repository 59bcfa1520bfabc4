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
package org.orcagrid.client.map;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.orcagrid.ddp.durable.segment.DurableFiles;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.Write;

/**
 * Writes the file of a backup, big-endian:
 *
 * <pre>
 * "ORCAMAPS", version (4 bytes)
 * page*              length (4), checksum of the content (4, CRC-32C), content
 * end                0 (4), entries (8), checksum of these 8 bytes (4)
 * </pre>
 *
 * The first page has the name and the model of the map; each other one has entries: the key's
 * length (2) and bytes, the stored value's length (4) and bytes.
 */
final class BackupWriter {
  static final long MAGIC = 0x4F5243414D415053L;
  static final int VERSION = 1;
  private static final int PAGE_BYTES = 64 << 10;

  private final DataOutputStream out;
  private final ByteArrayOutputStream page = new ByteArrayOutputStream();
  private final DataOutputStream toPage = new DataOutputStream(page);

  private BackupWriter(DataOutputStream out) {
    this.out = out;
  }

  /** Writes it whole, or nothing under its name; how many entries. */
  static long write(Path file, Ddp model, String name, List<Write> versions) throws IOException {
    if (Files.exists(file)) {
      throw new FileAlreadyExistsException(
          file + " is there already, and may be a backup that is wanted: choose another name");
    }
    Path part =
        Files.createTempFile(
            file.toAbsolutePath().getParent(), file.getFileName().toString(), ".part");
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE);
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel)))) {
      new BackupWriter(out).write(model, name, versions);
      out.flush();
      channel.force(true);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(part);
      throw e;
    }
    // Not over another one that has come meanwhile.
    Files.move(part, file);
    DurableFiles.sync(file.toAbsolutePath().getParent());
    return versions.size();
  }

  private void write(Ddp model, String name, List<Write> versions) throws IOException {
    out.writeLong(MAGIC);
    out.writeInt(VERSION);
    toPage.writeUTF(name);
    toPage.writeUTF(model.toString());
    endPage();
    for (Write version : versions) {
      byte[] key = version.key().bytes();
      toPage.writeShort(key.length);
      toPage.write(key);
      toPage.writeInt(version.value().length);
      toPage.write(version.value());
      if (page.size() >= PAGE_BYTES) {
        endPage();
      }
    }
    if (page.size() > 0) {
      endPage();
    }
    toPage.writeLong(versions.size());
    byte[] entries = page.toByteArray();
    out.writeInt(0);
    out.write(entries);
    out.writeInt(checksum(entries));
  }

  private void endPage() throws IOException {
    byte[] content = page.toByteArray();
    page.reset();
    out.writeInt(content.length);
    out.writeInt(checksum(content));
    out.write(content);
  }

  static int checksum(byte[] content) {
    CRC32C sum = new CRC32C();
    sum.update(content);
    return (int) sum.getValue();
  }
}
