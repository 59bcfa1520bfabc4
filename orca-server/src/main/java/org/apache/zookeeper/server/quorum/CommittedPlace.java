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
package org.apache.zookeeper.server.quorum;

import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.txn.TxnHeader;

/**
 * The place of a read among commits. Stock matches what is committed with what waits by session and
 * number alone. A client that connects anew and counts from 0 again, as kazoo does, can have a read
 * wait here under the number of a write that it has sent through another server.
 */
final class CommittedPlace {

  private CommittedPlace() {}

  /**
   * Takes the transaction out of a read whose place a write has taken.
   *
   * @return the write, to be executed before the read; null if there is none
   */
  static Request takeWrite(Request read) {
    TxnHeader header = read.getHdr();
    if (header == null) {
      return null;
    }
    Request write =
        new Request(read.sessionId, read.cxid, header.getType(), header, read.getTxn(), read.zxid);
    write.setTxnDigest(read.getTxnDigest());
    read.setHdr(null);
    read.setTxn(null);
    read.setTxnDigest(null);
    return write;
  }
}
