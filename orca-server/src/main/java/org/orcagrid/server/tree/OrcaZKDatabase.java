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
package org.orcagrid.server.tree;

import java.io.IOException;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.util.ZxidUtils;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The database over our tree and our log. */
public final class OrcaZKDatabase extends ZKDatabase {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaZKDatabase.class);

  /** A database that is still to be loaded. */
  public OrcaZKDatabase(OrcaTxnSnapLog log) {
    super(log);
  }

  private OrcaTxnSnapLog log() {
    return (OrcaTxnSnapLog) snapLog;
  }

  /**
   * Brings the tree to the end of the log when a role ends.
   *
   * <p>A leader that replicates asynchronously applies a write before it logs it. One that stops in
   * between must forget it: the tree decides how this server votes and what it claims to have on
   * its disk.
   */
  @Override
  public long fastForwardDataBase() throws IOException {
    super.fastForwardDataBase();
    long zxid = getDataTreeLastProcessedZxid();
    long onDisk = log().lastOnDisk();
    boolean beginsEpoch = ZxidUtils.getCounterFromZxid(zxid) == 0;
    if (beginsEpoch || zxid <= onDisk) {
      return zxid;
    }
    LOG.warn(
        "Forgetting the writes from 0x{} to 0x{}: they were applied and not logged",
        Long.toHexString(onDisk),
        Long.toHexString(zxid));
    clear();
    return loadDataBase();
  }

  @Override
  public void clear() {
    try {
      log().discardPending();
    } catch (IOException e) {
      LOG.error("A snapshot that was not published could not be deleted; the next start will", e);
    }
    super.clear();
  }

  @Override
  public DataTree createDataTree() {
    return new OrcaDataTree();
  }

  /** The tree. It is another one after the database was cleared. */
  public OrcaDataTree tree() {
    return (OrcaDataTree) getDataTree();
  }

  /**
   * Goes back to {@code zxid}.
   *
   * @throws IOException if the log on this disk does not reach that far back without a snapshot
   *     that shows more; the caller connects to its leader again and says how far this server
   *     really is
   */
  @Override
  public boolean truncateLog(long zxid) throws IOException {
    boolean truncated = super.truncateLog(zxid);
    if (truncated && getDataTreeLastProcessedZxid() != zxid) {
      throw new IOException(
          "Cannot go back to exactly 0x"
              + Long.toHexString(zxid)
              + " from the files on this disk, only to 0x"
              + Long.toHexString(getDataTreeLastProcessedZxid())
              + "; the leader will send the rest");
    }
    return truncated;
  }
}
