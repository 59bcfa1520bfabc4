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
package org.orcagrid.bench.start;

import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.CheckedOutputStream;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.OutputArchive;
import org.apache.zookeeper.data.StatPersisted;
import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.ReferenceCountedACLCache;
import org.apache.zookeeper.server.persistence.FileHeader;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.SnapStream;

/**
 * A snapshot of many znodes in ZooKeeper's format, written without having them in memory. Leaves
 * are in folders of {@link #LEAVES_PER_FOLDER}.
 */
final class LargeTree {
  private static final int LEAVES_PER_FOLDER = 1_000;

  /** What ZooKeeper writes in the header of each snapshot. */
  private static final int VERSION = 2;

  private static final long DATABASE = -1;

  /** The number by which a tree refers to permissions for everyone. */
  private static final long OPEN_TO_ALL = -1;

  /** The root has the empty path; readers end at this one. */
  private static final String END = "/";

  private final OutputArchive archive;
  private int znodes;

  private LargeTree(OutputArchive archive) {
    this.archive = archive;
  }

  /**
   * Writes a snapshot.
   *
   * @param file named {@code snapshot.ZXID}
   * @return how many znodes a server with it says that it has, with those of ZooKeeper itself
   */
  static int write(Path file, int leaves, int valueBytes) throws IOException {
    try (CheckedOutputStream out = SnapStream.getOutputStream(file.toFile(), true)) {
      OutputArchive archive = BinaryOutputArchive.getArchive(out);
      new FileHeader(FileSnap.SNAP_MAGIC, VERSION, DATABASE).serialize(archive, "fileheader");
      archive.writeInt(0, "count");
      new ReferenceCountedACLCache().serialize(archive);
      LargeTree tree = new LargeTree(archive);
      tree.nodes(leaves, new byte[valueBytes]);
      archive.writeString(END, "path");
      SnapStream.sealStream(out, archive);
      out.flush();
      // A server counts the root twice: under its two paths.
      return tree.znodes + 1;
    }
  }

  private void nodes(int leaves, byte[] value) throws IOException {
    byte[] nothing = new byte[0];
    for (String each : new String[] {"", "/zookeeper", "/zookeeper/quota", "/zookeeper/config"}) {
      node(each, nothing);
    }
    node("/tree", nothing);
    String folder = "";
    for (int leaf = 0; leaf < leaves; leaf++) {
      if (leaf % LEAVES_PER_FOLDER == 0) {
        folder = "/tree/folder-" + leaf / LEAVES_PER_FOLDER;
        node(folder, nothing);
      }
      node(folder + "/node-" + leaf, value);
    }
  }

  private void node(String path, byte[] value) throws IOException {
    archive.writeString(path, "path");
    StatPersisted stat = new StatPersisted(1, 1, 0, 0, 0, 0, 0, 0, 1);
    archive.writeRecord(new DataNode(value, OPEN_TO_ALL, stat), "node");
    znodes++;
  }
}
