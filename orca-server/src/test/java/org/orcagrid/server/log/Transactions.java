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

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.TxnHeader;

/** Transactions that create {@code /n<zxid>}, and the stock reader of their log. */
final class Transactions {
  private Transactions() {}

  static Request create(long zxid) {
    return create(zxid, 8);
  }

  static Request create(long zxid, int bytes) {
    return new Request(1, (int) zxid, OpCode.create, header(zxid), txn(zxid, bytes), zxid);
  }

  static TxnHeader header(long zxid) {
    return new TxnHeader(1, (int) zxid, zxid, zxid, OpCode.create);
  }

  static CreateTxn txn(long zxid, int bytes) {
    byte[] data = new byte[bytes];
    java.util.Arrays.fill(data, (byte) zxid);
    return new CreateTxn("/n" + zxid, data, Ids.OPEN_ACL_UNSAFE, false, (int) zxid);
  }

  /** The transactions that stock ZooKeeper finds in a directory, each with its data intact. */
  static List<Long> readByStock(File logDir) throws IOException {
    List<Long> zxids = new ArrayList<>();
    try (TxnLog.TxnIterator each = new FileTxnLog.FileTxnIterator(logDir, 0)) {
      while (each.getHeader() != null) {
        long zxid = each.getHeader().getZxid();
        for (byte b : ((CreateTxn) each.getTxn()).getData()) {
          if (b != (byte) zxid) {
            throw new IOException("The data of " + zxid + " is not what was written");
          }
        }
        zxids.add(zxid);
        if (!each.next()) {
          break;
        }
      }
    }
    return zxids;
  }
}
