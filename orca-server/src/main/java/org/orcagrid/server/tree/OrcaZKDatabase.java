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
import org.orcagrid.server.log.OrcaTxnSnapLog;

/** The database over our tree and our log. */
public final class OrcaZKDatabase extends ZKDatabase {

  /** A database that is still to be loaded. */
  public OrcaZKDatabase(OrcaTxnSnapLog log) {
    super(log);
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
    if (truncated && getDataTreeLastProcessedZxid() < zxid) {
      throw new IOException(
          "Cannot go back to 0x"
              + Long.toHexString(zxid)
              + " from the files on this disk, only to 0x"
              + Long.toHexString(getDataTreeLastProcessedZxid())
              + "; the leader will send the rest");
    }
    return truncated;
  }
}
