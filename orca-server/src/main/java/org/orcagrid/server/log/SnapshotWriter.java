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
package org.orcagrid.server.log;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Map;
import java.util.zip.Adler32;
import java.util.zip.CheckedOutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.OutputArchive;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.persistence.FileHeader;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.SnapStream;
import org.xerial.snappy.SnappyOutputStream;

/**
 * Writes a snapshot as the stock server does, byte for byte, and says what it has written.
 *
 * <p>The digest is of the bytes on their way to the file. What a disk, or memory behind this
 * process, makes of them later shows.
 */
final class SnapshotWriter extends FileSnap {

  private static final int VERSION = 2;
  private static final long DATABASE = -1;

  /** The bytes that go to a file, and what they were. */
  private static final class Digesting extends OutputStream {
    private final OutputStream out;
    private final MessageDigest digest = SnapshotDigest.newSha256();
    private long length;

    Digesting(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      digest.update(bytes, offset, count);
      length += count;
      out.write(bytes, offset, count);
    }
  }

  SnapshotWriter(File folder) {
    super(folder);
  }

  /**
   * Writes to {@code file} and forces it.
   *
   * @return what was written
   */
  SnapshotDigest write(DataTree tree, Map<Long, Integer> sessions, Path file) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      Digesting digesting = new Digesting(out);
      try (CheckedOutputStream checked =
          new CheckedOutputStream(compressed(digesting), new Adler32())) {
        OutputArchive archive = BinaryOutputArchive.getArchive(checked);
        serialize(tree, sessions, archive, new FileHeader(SNAP_MAGIC, VERSION, DATABASE));
        SnapStream.sealStream(checked, archive);
        if (tree.serializeZxidDigest(archive)) {
          SnapStream.sealStream(checked, archive);
        }
        if (tree.serializeLastProcessedZxid(archive)) {
          SnapStream.sealStream(checked, archive);
        }
      }
      out.getChannel().force(true);
      return SnapshotDigest.of(digesting.length, digesting.digest, file);
    }
  }

  private static OutputStream compressed(OutputStream file) throws IOException {
    return switch (SnapStream.getStreamMode()) {
      case GZIP -> new GZIPOutputStream(file);
      case SNAPPY -> new SnappyOutputStream(file);
      case CHECKED -> new BufferedOutputStream(file);
    };
  }
}
