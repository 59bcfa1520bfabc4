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

import java.io.IOException;
import org.apache.jute.Record;
import org.apache.zookeeper.server.TxnLogProposalIterator;
import org.apache.zookeeper.server.persistence.TxnLog;
import org.apache.zookeeper.txn.TxnDigest;
import org.apache.zookeeper.txn.TxnHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log that ends before the first transaction that is missing or cannot be read, for a leader that
 * brings a learner up to date: it sends a snapshot if the log ends too early. Stock's reader would
 * go on with the next file. It must not throw, either: {@link TxnLogProposalIterator} drops what it
 * has read before.
 */
final class ContiguousTxns implements TxnLog.TxnIterator {

  private static final Logger LOG = LoggerFactory.getLogger(ContiguousTxns.class);

  private final TxnLog.TxnIterator log;
  private final long from;

  /** The transactions behind {@code from}, which the learner has; earlier ones may be missing. */
  ContiguousTxns(TxnLog.TxnIterator log, long from) {
    this.log = log;
    this.from = from;
  }

  @Override
  public boolean next() {
    TxnHeader header = log.getHeader();
    if (header == null) {
      return false;
    }
    long last = header.getZxid();
    try {
      if (!log.next()) {
        return false;
      }
    } catch (IOException e) {
      LOG.error("The log cannot be read behind 0x{}", Long.toHexString(last), e);
      return false;
    }
    long next = log.getHeader().getZxid();
    if (next <= from || LogRecord.follows(Math.max(last, from), next)) {
      return true;
    }
    LOG.warn(
        "The log has 0x{} behind 0x{}; what is between came in a snapshot, or is lost",
        Long.toHexString(next),
        Long.toHexString(last));
    return false;
  }

  @Override
  public TxnHeader getHeader() {
    return log.getHeader();
  }

  @Override
  public Record getTxn() {
    return log.getTxn();
  }

  @Override
  public TxnDigest getDigest() {
    return log.getDigest();
  }

  @Override
  public void close() throws IOException {
    log.close();
  }

  @Override
  public long getStorageSize() throws IOException {
    return log.getStorageSize();
  }
}
