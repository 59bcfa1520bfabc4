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

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/** Reads what {@link BackupWriter} has written, and checks all of it. */
final class BackupReader {
  /** Nothing that is larger is a page: a value has up to 512 KB. */
  private static final int PAGE_BYTES_MAX = 16 << 20;

  private final Path file;
  private final DataInputStream in;

  private BackupReader(Path file, DataInputStream in) {
    this.file = file;
    this.in = in;
  }

  /**
   * Reads it all.
   *
   * @throws IOException if it cannot be read, is none, or is damaged; the message says where
   */
  static void check(Path file) throws IOException {
    read(file, version -> true);
  }

  /**
   * Hands over each entry, as a version without a clock.
   *
   * @param each whether it has taken it
   * @return how many it has taken
   * @throws IOException if it cannot be read, is none, or is damaged; the message says where
   */
  static long read(Path file, Predicate<Write> each) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      return new BackupReader(file, in).read(each);
    }
  }

  private long read(Predicate<Write> each) throws IOException {
    try {
      if (in.readLong() != BackupWriter.MAGIC) {
        throw new IOException(file + " is no backup of a map");
      }
      int version = in.readInt();
      if (version != BackupWriter.VERSION) {
        throw new IOException(
            file + " is of version " + version + ", this program reads " + BackupWriter.VERSION);
      }
      // Its name and model are for people.
      page();
      return readEntries(each);
    } catch (EOFException e) {
      throw new IOException(file + " ends too early: it was cut off", e);
    }
  }

  private long readEntries(Predicate<Write> each) throws IOException {
    long entries = 0;
    long taken = 0;
    for (byte[] page = page(); page != null; page = page()) {
      DataInputStream content = new DataInputStream(new ByteArrayInputStream(page));
      while (content.available() > 0) {
        byte[] key = content.readNBytes(content.readUnsignedShort());
        byte[] value = content.readNBytes(content.readInt());
        taken += each.test(new Write(Key.of(key), 0, value)) ? 1 : 0;
        entries++;
      }
    }
    byte[] end = in.readNBytes(Long.BYTES);
    if (in.readInt() != BackupWriter.checksum(end)
        || new DataInputStream(new ByteArrayInputStream(end)).readLong() != entries) {
      throw new IOException(file + " is damaged: it does not have as many entries as it had");
    }
    return taken;
  }

  /** The next page, null at the end. */
  private byte[] page() throws IOException {
    int length = in.readInt();
    if (length == 0) {
      return null;
    }
    if (length < 0 || length > PAGE_BYTES_MAX) {
      throw new IOException(file + " is damaged: no page has " + length + " bytes");
    }
    int checksum = in.readInt();
    byte[] content = in.readNBytes(length);
    if (content.length < length) {
      throw new EOFException();
    }
    if (BackupWriter.checksum(content) != checksum) {
      throw new IOException(file + " is damaged: a page of " + length + " bytes has changed");
    }
    return content;
  }
}
