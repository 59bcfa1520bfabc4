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
import java.util.List;
import java.util.function.Predicate;
import org.apache.jute.Record;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.DeleteContainerRequest;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadArgumentsException;
import org.apache.zookeeper.KeeperException.InvalidACLException;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Quotas;
import org.apache.zookeeper.StatsTrack;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.proto.CheckVersionRequest;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.CreateTTLRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ReconfigRequest;
import org.apache.zookeeper.proto.SetACLRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which writes are refused for what their bytes say, before they are planned. */
public final class WriteScreen {

  private static final Logger LOG = LoggerFactory.getLogger(WriteScreen.class);

  private static final String SYSTEM = "/zookeeper";

  /** Stands for all identities of the session. */
  private static final String AUTH = "auth";

  /** Permissions, the name of a scheme, and two lengths. */
  private static final int ID_BYTES = 32;

  private static final int CHARACTER_BYTES_MAX = 3;

  /** Behind the name of a sequential node: ten digits, or a sign and ten. */
  private static final int NUMBER_BYTES_MAX = 11;

  private WriteScreen() {}

  /**
   * Whether a request can be decoded, if it is a write. The request keeps what was decoded, so that
   * this costs a well-formed one nothing. A request that was found wanting once is not to be asked
   * for its record again: it keeps a part of that, too.
   */
  static boolean decodes(Request request) {
    try {
      String path =
          switch (request.type) {
            case OpCode.create, OpCode.create2, OpCode.createContainer ->
                request.readRequestRecord(CreateRequest::new).getPath();
            case OpCode.createTTL -> request.readRequestRecord(CreateTTLRequest::new).getPath();
            case OpCode.delete -> request.readRequestRecord(DeleteRequest::new).getPath();
            case OpCode.deleteContainer ->
                request.readRequestRecord(DeleteContainerRequest::new).getPath();
            case OpCode.setData -> request.readRequestRecord(SetDataRequest::new).getPath();
            case OpCode.setACL -> request.readRequestRecord(SetACLRequest::new).getPath();
            case OpCode.check -> request.readRequestRecord(CheckVersionRequest::new).getPath();
            case OpCode.multi -> anyPath(request.readRequestRecord(MultiOperationRecord::new));
            case OpCode.reconfig -> {
              request.readRequestRecord(ReconfigRequest::new);
              yield "";
            }
            default -> "";
          };
      return path != null;
    } catch (IOException | RuntimeException e) {
      LOG.debug("A {} cannot be decoded", Request.op2String(request.type), e);
      return false;
    }
  }

  /** A path of the operations, null if one of them has none. */
  private static String anyPath(MultiOperationRecord operations) {
    String path = "";
    for (Op each : operations) {
      path = each.getPath();
      if (path == null) {
        return null;
      }
    }
    return path;
  }

  /**
   * Asks a check that comes before writes are ordered, and lets everything pass that it cannot
   * judge: that is refused in its session's order.
   *
   * @param check takes a request and fails with a runtime exception for some
   */
  public static boolean passes(Request request, Predicate<Request> check) {
    if (!decodesApart(request)) {
      return true;
    }
    try {
      return check.test(request);
    } catch (RuntimeException e) {
      LOG.warn("A write that cannot be judged goes on to where it is refused: {}", request, e);
      return true;
    }
  }

  /** As {@link #decodes}, of a copy, so that the request can still be asked for its record. */
  public static boolean decodesApart(Request request) {
    byte[] bytes = request.readRequestBytes();
    return bytes == null
        || decodes(
            new Request(
                null,
                request.sessionId,
                request.cxid,
                request.type,
                RequestRecord.fromBytes(bytes),
                request.authInfo));
  }

  /**
   * Refuses a write, or a part of a {@code multi}, that not all servers could apply, or not all
   * alike.
   *
   * @param type the operation
   * @param record its request; null for some types
   * @param authInfo who asks
   */
  static void check(int type, Record record, List<Id> authInfo) throws KeeperException {
    switch (type) {
      case OpCode.create, OpCode.create2, OpCode.createContainer -> {
        CreateRequest create = (CreateRequest) record;
        agreeOnContainer(type, create);
        checkAcl(create.getPath(), create.getAcl(), authInfo);
        checkName(create.getPath());
        checkQuota(create.getPath(), create.getData());
      }
      case OpCode.createTTL -> {
        CreateTTLRequest create = (CreateTTLRequest) record;
        checkLifetime(create);
        checkAcl(create.getPath(), create.getAcl(), authInfo);
        checkName(create.getPath());
        checkQuota(create.getPath(), create.getData());
      }
      case OpCode.setACL -> {
        SetACLRequest set = (SetACLRequest) record;
        checkAcl(set.getPath(), set.getAcl(), authInfo);
      }
      case OpCode.setData -> {
        SetDataRequest set = (SetDataRequest) record;
        checkQuota(set.getPath(), set.getData());
      }
      case OpCode.delete -> checkName(((DeleteRequest) record).getPath());
      case OpCode.deleteContainer -> checkName(((DeleteContainerRequest) record).getPath());
      default -> {}
    }
  }

  /**
   * What a node becomes is told twice, by the operation and by the mode. The tree goes by the
   * operation, so the plan has to as well.
   */
  private static void agreeOnContainer(int type, CreateRequest create) throws KeeperException {
    CreateMode mode = CreateMode.fromFlag(create.getFlags());
    if (type != OpCode.createContainer && mode.isContainer()) {
      create.setFlags(CreateMode.PERSISTENT.toFlag());
    } else if (type == OpCode.createContainer && mode == CreateMode.PERSISTENT) {
      create.setFlags(CreateMode.CONTAINER.toFlag());
    } else if (mode.isTTL() || (type == OpCode.createContainer) != mode.isContainer()) {
      throw new BadArgumentsException(create.getPath());
    }
  }

  private static void checkLifetime(CreateTTLRequest create) throws KeeperException {
    if (!CreateMode.fromFlag(create.getFlags()).isTTL()) {
      throw new BadArgumentsException(create.getPath());
    }
  }

  /**
   * The encoding of strings in transactions has no characters beyond the basic plane: other servers
   * would read another identity.
   */
  private static void checkAcl(String path, List<ACL> acl, List<Id> authInfo)
      throws InvalidACLException {
    if (acl == null) {
      return;
    }
    for (ACL each : acl) {
      Id id = each.getId();
      if (!isEncodable(id)) {
        throw new InvalidACLException(path);
      }
      if (AUTH.equals(id.getScheme())) {
        for (Id own : authInfo) {
          if (!isEncodable(own)) {
            throw new InvalidACLException(path);
          }
        }
      }
    }
  }

  /**
   * How much longer a transaction is than its request: for {@code auth} in access lists, and for
   * the numbers of sequential nodes.
   */
  static long addedBytes(int type, Record record, List<Id> authInfo) throws KeeperException {
    return switch (type) {
      case OpCode.create, OpCode.create2, OpCode.createContainer -> {
        CreateRequest create = (CreateRequest) record;
        yield numberBytes(create.getFlags()) + addedBytes(create.getAcl(), authInfo);
      }
      case OpCode.createTTL -> {
        CreateTTLRequest create = (CreateTTLRequest) record;
        yield numberBytes(create.getFlags()) + addedBytes(create.getAcl(), authInfo);
      }
      case OpCode.setACL -> addedBytes(((SetACLRequest) record).getAcl(), authInfo);
      default -> 0;
    };
  }

  private static long numberBytes(int flags) throws KeeperException {
    return CreateMode.fromFlag(flags).isSequential() ? NUMBER_BYTES_MAX : 0;
  }

  private static long addedBytes(List<ACL> acl, List<Id> authInfo) {
    long bytes = 0;
    if (acl != null) {
      for (ACL each : acl) {
        if (AUTH.equals(each.getId().getScheme())) {
          bytes += bytes(authInfo);
        }
      }
    }
    return bytes;
  }

  /** The path of one that adds to its transaction. */
  static String path(int type, Record record) {
    return switch (type) {
      case OpCode.create, OpCode.create2, OpCode.createContainer ->
          ((CreateRequest) record).getPath();
      case OpCode.createTTL -> ((CreateTTLRequest) record).getPath();
      case OpCode.setACL -> ((SetACLRequest) record).getPath();
      default -> "";
    };
  }

  private static long bytes(List<Id> identities) {
    long bytes = 0;
    for (Id each : identities) {
      bytes += ID_BYTES + CHARACTER_BYTES_MAX * (long) each.getId().length();
    }
    return bytes;
  }

  private static boolean isEncodable(Id id) {
    return isEncodable(id.getScheme()) && isEncodable(id.getId());
  }

  private static boolean isEncodable(String text) {
    if (text == null) {
      return true;
    }
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** The tree takes a node of this name for a quota wherever its path begins like that of one. */
  private static void checkName(String path) throws BadArgumentsException {
    if (path.startsWith(SYSTEM)
        && isOfQuota(path)
        && (path.lastIndexOf('/') <= Quotas.quotaZookeeper.length()
            || !path.startsWith(Quotas.quotaZookeeper + '/'))) {
      throw new BadArgumentsException(path);
    }
  }

  /** Servers parse what a quota says when they apply writes below it. */
  private static void checkQuota(String path, byte[] data) throws BadArgumentsException {
    if (!path.startsWith(Quotas.quotaZookeeper) || !isOfQuota(path)) {
      return;
    }
    try {
      new StatsTrack(data);
    } catch (RuntimeException e) {
      LOG.warn("Refused the quota of {}: its data are not pairs of names and numbers", path, e);
      throw new BadArgumentsException(path);
    }
  }

  private static boolean isOfQuota(String path) {
    return path.endsWith('/' + Quotas.limitNode) || path.endsWith('/' + Quotas.statNode);
  }
}
