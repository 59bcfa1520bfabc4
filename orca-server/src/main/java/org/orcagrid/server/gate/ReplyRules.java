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
package org.orcagrid.server.gate;

import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.CheckVersionRequest;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.CreateTTLRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.GetACLRequest;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.SetACLRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.txn.MultiTxn;
import org.orcagrid.cad.UndurableChanges;
import org.orcagrid.server.settings.OrcaSettings;

/**
 * What counts as a read: for each kind of reply the index of the last change that it shows, which
 * is what must be durable before it may leave (section 4.3.3, extended from items to everything
 * that ZooKeeper shows).
 *
 * <p>Asked after the request has its place in the order of transactions and before it is executed,
 * while no transaction is applied.
 */
public final class ReplyRules {

  /** A {@code multi} that checks this node asks for all of it to be durable before the answer. */
  public static final String IMMEDIATE_MARKER = "/zookeeper";

  private static final String QUOTA = "/zookeeper/quota";

  private final OrcaSettings settings;
  private final UndurableChanges changes;
  private final LongSupplier lastApplied;

  /**
   * The rules of one server.
   *
   * @param lastApplied the index of the last transaction that the server has applied
   */
  public ReplyRules(OrcaSettings settings, UndurableChanges changes, LongSupplier lastApplied) {
    this.settings = settings;
    this.changes = changes;
    this.lastApplied = lastApplied;
  }

  /** Whether the operation reads the tree, so that its answer depends on the state. */
  public static boolean isRead(int opCode) {
    return switch (opCode) {
      case OpCode.getData,
          OpCode.exists,
          OpCode.getChildren,
          OpCode.getChildren2,
          OpCode.getACL,
          OpCode.getAllChildrenNumber,
          OpCode.getEphemerals,
          OpCode.multiRead,
          OpCode.setWatches,
          OpCode.setWatches2 ->
          true;
      default -> false;
    };
  }

  /**
   * The index of the last change that the answer to a read shows when it succeeds.
   *
   * @throws IOException if the request cannot be parsed; it will fail when it is executed
   */
  public long shownByRead(Request request) throws IOException {
    return switch (request.type) {
      case OpCode.getData -> node(request.readRequestRecord(GetDataRequest::new).getPath());
      case OpCode.exists -> node(request.readRequestRecord(ExistsRequest::new).getPath());
      case OpCode.getChildren2 ->
          node(request.readRequestRecord(GetChildren2Request::new).getPath());
      case OpCode.getACL -> node(request.readRequestRecord(GetACLRequest::new).getPath());
      case OpCode.getChildren ->
          children(request.readRequestRecord(GetChildrenRequest::new).getPath());
      case OpCode.multiRead -> multiRead(request.readRequestRecord(MultiOperationRecord::new));
      default -> lastApplied.getAsLong();
    };
  }

  /**
   * The index of the last change that the failure of a read shows. It is above {@link #shownByRead}
   * only where success shows less than the whole node: a refusal tells about the access list.
   *
   * @throws IOException if the request cannot be parsed
   */
  public long shownByFailedRead(Request request) throws IOException {
    return request.type == OpCode.getChildren
        ? node(request.readRequestRecord(GetChildrenRequest::new).getPath())
        : shownByRead(request);
  }

  /**
   * The index that the answer to a write shows, 0 for nothing.
   *
   * <p>A write that failed tells what others wrote, and one that named a version tells that nobody
   * had changed it. A sequential name is used as a number that is given once. Any other success
   * tells of the node as it was before, by its Stat or by having been there or not: that needs what
   * other sessions have changed, and not the write itself.
   */
  public long shownByWrite(Request request) throws IOException {
    long zxid = request.getHdr().getZxid();
    if (failed(request)) {
      return zxid;
    }
    return switch (request.type) {
      case OpCode.createSession, OpCode.closeSession -> 0;
      default ->
          switch (settings.gatedWrites()) {
            case NONE -> 0;
            case ALL -> zxid;
            case CONDITIONAL -> shownBySuccess(request, zxid);
          };
    };
  }

  /** Whether a successful write is to be durable before it is answered, whatever the mode. */
  public boolean wantsImmediateDurability(Request request, boolean sessionWantsIt)
      throws IOException {
    if (isOfSession(request)) {
      return false;
    }
    if (sessionWantsIt) {
      return true;
    }
    List<String> prefixes = settings.immediatePaths();
    if (request.type == OpCode.multi) {
      for (Op op : request.readRequestRecord(MultiOperationRecord::new)) {
        if (op.getType() == OpCode.check
            ? op.getPath().equals(IMMEDIATE_MARKER)
            : isUnder(prefixes, op.getPath())) {
          return true;
        }
      }
      return false;
    }
    return !prefixes.isEmpty() && isUnder(prefixes, writtenPath(request));
  }

  /** Whether the request begins or ends a session, which changes no data. */
  public static boolean isOfSession(Request request) {
    return request.type == OpCode.createSession || request.type == OpCode.closeSession;
  }

  private long node(String path) {
    return path.startsWith(QUOTA) ? lastApplied.getAsLong() : changes.indexOfNode(path);
  }

  private long children(String path) {
    return path.startsWith(QUOTA) ? lastApplied.getAsLong() : changes.indexOfChildren(path);
  }

  private long multiRead(MultiOperationRecord operations) {
    long shown = 0;
    for (Op op : operations) {
      // A part may fail, and then shows more of the node than its children.
      shown = Math.max(shown, node(op.getPath()));
    }
    return shown;
  }

  private static boolean failed(Request request) {
    if (request.getHdr().getType() == OpCode.error || request.getException() != null) {
      return true;
    }
    return request.getTxn() instanceof MultiTxn multi
        && multi.getTxns().stream().anyMatch(each -> each.getType() == OpCode.error);
  }

  private long shownBySuccess(Request request, long zxid) throws IOException {
    long session = request.sessionId;
    return switch (request.type) {
      case OpCode.setData -> {
        SetDataRequest write = request.readRequestRecord(SetDataRequest::new);
        yield named(write.getVersion()) ? zxid : others(write.getPath(), session);
      }
      case OpCode.delete -> {
        DeleteRequest write = request.readRequestRecord(DeleteRequest::new);
        yield named(write.getVersion()) ? zxid : others(write.getPath(), session);
      }
      case OpCode.setACL -> {
        SetACLRequest write = request.readRequestRecord(SetACLRequest::new);
        yield named(write.getVersion()) ? zxid : others(write.getPath(), session);
      }
      case OpCode.create, OpCode.create2, OpCode.createContainer -> {
        CreateRequest write = request.readRequestRecord(CreateRequest::new);
        yield isSequential(write.getFlags()) ? zxid : others(write.getPath(), session);
      }
      case OpCode.createTTL -> {
        CreateTTLRequest write = request.readRequestRecord(CreateTTLRequest::new);
        yield isSequential(write.getFlags()) ? zxid : others(write.getPath(), session);
      }
      case OpCode.check, OpCode.reconfig -> zxid;
      case OpCode.multi -> {
        long shown = 0;
        for (Op op : request.readRequestRecord(MultiOperationRecord::new)) {
          shown = Math.max(shown, isConditional(op) ? zxid : others(op.getPath(), session));
        }
        yield shown;
      }
      default -> 0;
    };
  }

  /** What others have changed in a node that {@code session} has written. */
  private long others(String path, long session) {
    return path.startsWith(QUOTA) ? lastApplied.getAsLong() : changes.indexOfOthers(path, session);
  }

  private static boolean named(int version) {
    return version != ANY_VERSION;
  }

  private static boolean isSequential(int flags) {
    return CreateMode.fromFlag(flags, CreateMode.PERSISTENT).isSequential();
  }

  private static final int ANY_VERSION = -1;

  private static boolean isConditional(Op op) {
    return switch (op.getType()) {
      case OpCode.check -> named(((CheckVersionRequest) op.toRequestRecord()).getVersion());
      case OpCode.setData -> named(((SetDataRequest) op.toRequestRecord()).getVersion());
      case OpCode.delete -> named(((DeleteRequest) op.toRequestRecord()).getVersion());
      case OpCode.create, OpCode.create2, OpCode.createContainer ->
          isSequential(((CreateRequest) op.toRequestRecord()).getFlags());
      case OpCode.createTTL -> isSequential(((CreateTTLRequest) op.toRequestRecord()).getFlags());
      default -> false;
    };
  }

  private static String writtenPath(Request request) throws IOException {
    return switch (request.type) {
      case OpCode.create, OpCode.create2, OpCode.createContainer ->
          request.readRequestRecord(CreateRequest::new).getPath();
      case OpCode.createTTL -> request.readRequestRecord(CreateTTLRequest::new).getPath();
      case OpCode.delete -> request.readRequestRecord(DeleteRequest::new).getPath();
      case OpCode.setData -> request.readRequestRecord(SetDataRequest::new).getPath();
      case OpCode.setACL -> request.readRequestRecord(SetACLRequest::new).getPath();
      default -> "";
    };
  }

  private static boolean isUnder(List<String> prefixes, String path) {
    for (String prefix : prefixes) {
      if (path.startsWith(prefix)
          && (path.length() == prefix.length()
              || prefix.length() == 1
              || path.charAt(prefix.length()) == '/')) {
        return true;
      }
    }
    return false;
  }
}
