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
package org.apache.zookeeper.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.zookeeper.DeleteContainerRequest;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.log.UnforcedInMemory;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.settings.Readers;

/** Opens our log and snapshots where ZooKeeper's own code has opened the stock ones. */
public final class OrcaFiles {

  private OrcaFiles() {}

  /** The storage that the settings ask for. */
  public static LogStorage storage(OrcaSettings settings) {
    LogStorage storage = LogStorage.files();
    if (settings.losesUnforced()) {
      storage = new UnforcedInMemory(storage);
    }
    return settings.fsyncDelayNanos() == 0
        ? storage
        : LogStorage.slower(storage, settings.fsyncDelayNanos());
  }

  /**
   * Ours for the directories of {@code opened}; the stock object is closed, it has no file open.
   */
  public static OrcaTxnSnapLog adopt(FileTxnSnapLog opened, LogStorage storage) {
    if (opened instanceof OrcaTxnSnapLog ours) {
      return ours;
    }
    try {
      File dataLogDir = opened.getDataLogDir().getParentFile();
      File dataDir = opened.getSnapDir().getParentFile();
      opened.close();
      return new OrcaTxnSnapLog(dataLogDir, dataDir, storage);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A snapshot that an administrator asked for: it is handed out once what it shows is durable.
   *
   * @throws IOException if a quorum does not have that yet
   */
  public static File published(File snapshot) throws IOException {
    if (OrcaTxnSnapLog.isPending(snapshot)) {
      throw new IOException(
          "The snapshot "
              + snapshot
              + " shows what is not durable yet, and is not handed out; ask again when a quorum's"
              + " disks have caught up");
    }
    return snapshot;
  }

  /**
   * Refuses to replace a tree of which clients may have been shown something.
   *
   * @throws IOException if the modes promise what that would break
   */
  public static void checkRestore(OrcaSettings settings) throws IOException {
    if (settings.durability() != Durability.SYNC || settings.readers() != Readers.ALL) {
      throw new IOException(
          "restore needs orca.durability=sync and orca.readers=all, and this server has "
              + settings.describe()
              + ": what clients have read cannot be taken back otherwise");
    }
  }

  /**
   * A transaction that changes nothing, but has a place in the order of transactions: it deletes a
   * node that is not there, which is logged and replicated as a failed write.
   */
  public static Request noOperation() {
    return new Request(
        null,
        0,
        0,
        OpCode.deleteContainer,
        RequestRecord.fromRecord(new DeleteContainerRequest("/zookeeper/orca-begins-an-epoch")),
        null);
  }
}
