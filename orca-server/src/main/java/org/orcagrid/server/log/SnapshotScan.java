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

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.util.zip.CheckedInputStream;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.InputArchive;
import org.apache.zookeeper.data.StatPersisted;
import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.ReferenceCountedACLCache;
import org.apache.zookeeper.server.persistence.FileHeader;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.SnapStream;
import org.apache.zookeeper.server.persistence.Util;

/**
 * Reads a snapshot through, to its own checksums, and keeps nothing of it.
 *
 * <p>The stock server finds out that a snapshot is damaged when it has filled a tree with it. It
 * goes on with an older snapshot in the same tree, in which the owners of ephemeral nodes, and the
 * sessions, that the damaged one had named are left: a persistent node that a flipped bit gave an
 * owner dies with an owner that was never there. So a snapshot is looked through before.
 */
final class SnapshotScan {

  private static final String END = "/";

  private SnapshotScan() {}

  /**
   * Returns if {@code file} is what its checksums say.
   *
   * @throws IOException if it is not, with the reason
   */
  static void check(File file) throws IOException {
    if (!SnapStream.isValidSnapshot(file)) {
      throw new IOException("it has not the form of a snapshot, or is cut off");
    }
    DataTree nothing = new DataTree();
    try (CheckedInputStream in = SnapStream.getInputStream(file)) {
      InputArchive archive = BinaryInputArchive.getArchive(in);
      FileHeader header = new FileHeader();
      header.deserialize(archive, "fileheader");
      if (header.getMagic() != FileSnap.SNAP_MAGIC) {
        throw new IOException("it does not begin as a snapshot");
      }
      skipSessions(archive);
      new ReferenceCountedACLCache().deserialize(archive);
      skipNodes(archive);
      SnapStream.checkSealIntegrity(in, archive);
      long zxid = Util.getZxidFromName(file.getName(), FileSnap.SNAPSHOT_FILE_PREFIX);
      if (nothing.deserializeZxidDigest(archive, zxid)) {
        SnapStream.checkSealIntegrity(in, archive);
      }
      if (nothing.deserializeLastProcessedZxid(archive)) {
        SnapStream.checkSealIntegrity(in, archive);
      }
    } catch (EOFException e) {
      throw new IOException("it ends too early", e);
    } catch (RuntimeException e) {
      throw new IOException("it cannot be read: " + e, e);
    } finally {
      nothing.shutdownWatcher();
    }
  }

  private static void skipSessions(InputArchive archive) throws IOException {
    for (int left = archive.readInt("count"); left > 0; left--) {
      archive.readLong("id");
      archive.readInt("timeout");
    }
  }

  private static void skipNodes(InputArchive archive) throws IOException {
    DataNode any = new DataNode(new byte[0], 0L, new StatPersisted());
    while (!END.equals(archive.readString("path"))) {
      archive.readRecord(any, "node");
    }
  }
}
