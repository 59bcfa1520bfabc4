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

import java.io.IOException;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.common.Time;
import org.apache.zookeeper.txn.CloseSessionTxn;
import org.apache.zookeeper.txn.ErrorTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.orcagrid.server.role.OrcaHost;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.sizes.TransactionLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives writes their places in the order of transactions, and refuses what cannot be one.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>(P1) Each zxid has one transaction. A write that cannot be decoded is refused in a place of
 *       its own, as any write that fails: a stock learner answers it from there, in its session's
 *       order.
 *   <li>(P2) A write that fails leaves no planned change behind, whatever it failed with.
 *   <li>(P3) Every server can apply what is proposed, and all come to the same tree.
 * </ul>
 */
public final class OrcaPrepRequestProcessor extends PrepRequestProcessor {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaPrepRequestProcessor.class);

  private final ZooKeeperServer server;
  private final RequestProcessor next;
  private final TransactionLimit limit;

  /** By how much the transaction of the request so far is longer than it; of this thread. */
  private long addedBytes;

  /** The first of a server's processors that order writes; not started. */
  public OrcaPrepRequestProcessor(ZooKeeperServer server, RequestProcessor next) {
    this(server, next, TransactionLimit.ofServers());
  }

  OrcaPrepRequestProcessor(ZooKeeperServer server, RequestProcessor next, TransactionLimit limit) {
    super(server, next);
    this.server = server;
    this.next = next;
    this.limit = limit;
  }

  @Override
  protected void pRequest(Request request) throws RequestProcessorException {
    addedBytes = 0;
    if (request.isThrottled() || WriteScreen.decodes(request)) {
      super.pRequest(request);
    } else {
      refuse(request);
    }
  }

  private void refuse(Request request) throws RequestProcessorException {
    LOG.warn(
        "Refused a {} of session 0x{} that cannot be decoded; xid={}",
        Request.op2String(request.type),
        Long.toHexString(request.sessionId),
        request.cxid);
    long zxid = server.getNextZxid();
    request.setHdr(
        new TxnHeader(request.sessionId, request.cxid, zxid, Time.currentWallTime(), OpCode.error));
    request.setTxn(new ErrorTxn(Code.MARSHALLINGERROR.intValue()));
    request.zxid = zxid;
    next.processRequest(request);
  }

  /**
   * As stock, but every failure is a {@link KeeperException}: for any other one stock does not take
   * back what the earlier parts of a {@code multi} have planned.
   */
  @Override
  protected void pRequest2Txn(int type, long zxid, Request request, Record record)
      throws KeeperException {
    if (request.getHdr() == null) {
      // The zxid is taken: a refusal has to use it.
      request.setHdr(
          new TxnHeader(request.sessionId, request.cxid, zxid, Time.currentWallTime(), type));
    }
    try {
      WriteScreen.check(type, record, request.authInfo);
      addedBytes += WriteScreen.addedBytes(type, record, request.authInfo);
      requireReadable(type, record, request);
      super.pRequest2Txn(type, zxid, request, record);
      if (request.getTxn() instanceof CloseSessionTxn end) {
        request.setTxn(shortened(request, end));
      }
    } catch (IOException | RequestProcessorException | RuntimeException e) {
      LOG.warn("Refused a write that cannot be understood: {}", request, e);
      throw new KeeperException.MarshallingErrorException();
    }
  }

  /** Refuses a write whose transaction is too long for any server, before it is planned. */
  private void requireReadable(int type, Record record, Request request)
      throws KeeperException.BadArgumentsException {
    // Nearly always: the rest looks at all bytes of the request.
    if (addedBytes == 0 || limit.admits(BinaryInputArchive.maxBuffer + addedBytes)) {
      return;
    }
    byte[] asked = request.readRequestBytes();
    long bytes = addedBytes + (asked == null ? 0 : asked.length);
    if (!limit.admits(bytes)) {
      String path = WriteScreen.path(type, record);
      OrcaRole role = role();
      if (role != null) {
        role.sizes().onTransaction(request.sessionId, path, bytes, limit.bytesMax());
      }
      throw new KeeperException.BadArgumentsException(path);
    }
  }

  private CloseSessionTxn shortened(Request request, CloseSessionTxn end) {
    CloseSessionTxn shorter = limit.shortened(end);
    OrcaRole role = role();
    if (!shorter.equals(end) && role != null) {
      role.sizes()
          .onSessionEnd(
              request.sessionId, end.getPaths2Delete().size(), shorter.getPaths2Delete().size());
    }
    return shorter;
  }

  private OrcaRole role() {
    return server instanceof OrcaHost host ? host.role() : null;
  }
}
