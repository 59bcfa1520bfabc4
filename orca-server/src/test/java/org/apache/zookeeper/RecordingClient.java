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
package org.apache.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.Create2Response;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.CreateTTLRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.ExistsResponse;
import org.apache.zookeeper.proto.GetACLRequest;
import org.apache.zookeeper.proto.GetACLResponse;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetChildren2Response;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.GetDataResponse;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.proto.SetACLRequest;
import org.apache.zookeeper.proto.SetACLResponse;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.proto.SetDataResponse;
import org.apache.zookeeper.proto.SyncRequest;
import org.apache.zookeeper.proto.SyncResponse;
import org.orcagrid.history.HistoryRecorder;
import org.orcagrid.history.RecordedSession;
import org.orcagrid.simulator.checker.Access;
import org.orcagrid.simulator.checker.znode.ZnodeCall;
import org.orcagrid.simulator.checker.znode.ZnodeStat;
import org.orcagrid.simulator.checker.znode.ZnodeStep;
import org.orcagrid.simulator.checker.znode.ZnodeStep.Kind;

/**
 * ZooKeeper's own client, which writes down every answer with the zxid in its header. That zxid is
 * what ZooKeeper's methods do not return; so this class is in their package and makes the packets
 * that they make. Answers and events are stamped by the one thread that runs callbacks, in the
 * order in which the server has sent them.
 *
 * <p>One thread asks, and waits for each answer.
 */
public final class RecordingClient extends ZooKeeper {
  private static final Set<Code> OUTCOME_UNKNOWN =
      Set.of(
          Code.CONNECTIONLOSS,
          Code.SESSIONEXPIRED,
          Code.SESSIONMOVED,
          Code.OPERATIONTIMEOUT,
          Code.REQUESTTIMEOUT,
          Code.THROTTLEDOP);

  private final HistoryRecorder recorder;
  private final int session;
  private final RecordedSession recorded;

  /** Connects; the watcher is told of the session alone. */
  public RecordingClient(
      String connectString,
      int timeoutMs,
      Watcher watcher,
      HistoryRecorder recorder,
      RecordedSession recorded)
      throws IOException {
    super(
        connectString,
        timeoutMs,
        event -> {
          if (event.getState() == Watcher.Event.KeeperState.Disconnected) {
            recorder.onLoss(recorded.number());
          }
          watcher.process(event);
        });
    this.recorder = recorder;
    this.recorded = recorded;
    this.session = recorded.number();
  }

  // ---- writes

  /** Creates a node; the last argument counts for modes with a TTL. */
  public Code create(String path, CreateMode mode, long ttlMs) throws InterruptedException {
    String value = recorder.nextValue();
    Record request =
        mode.isTTL()
            ? new CreateTTLRequest(path, bytes(value), Ids.OPEN_ACL_UNSAFE, mode.toFlag(), ttlMs)
            : new CreateRequest(path, bytes(value), Ids.OPEN_ACL_UNSAFE, mode.toFlag());
    int opCode =
        mode.isTTL()
            ? OpCode.createTTL
            : mode.isContainer() ? OpCode.createContainer : OpCode.create2;
    Create2Response response = new Create2Response();
    ZnodeStep asked = ZnodeStep.asked(kind(mode), path, value, ZnodeStep.ANY);
    return one(
        opCode,
        request,
        response,
        asked,
        () -> asked.answered(response.getPath(), stat(response.getStat())),
        null);
  }

  private static Kind kind(CreateMode mode) {
    if (mode.isSequential()) {
      return Kind.CREATE_SEQUENTIAL;
    }
    return mode == CreateMode.PERSISTENT ? Kind.CREATE : Kind.CREATE_PASSING;
  }

  /** Writes a new value. */
  public Code set(String path, int version) throws InterruptedException {
    String value = recorder.nextValue();
    SetDataResponse response = new SetDataResponse();
    ZnodeStep asked = ZnodeStep.asked(Kind.SET, path, value, version);
    return one(
        OpCode.setData,
        new SetDataRequest(path, bytes(value), version),
        response,
        asked,
        () -> asked.answered(path, stat(response.getStat())),
        null);
  }

  /** Replaces the access list with the same one, which counts as a change. */
  public Code setAcl(String path, int version) throws InterruptedException {
    SetACLResponse response = new SetACLResponse();
    ZnodeStep asked = ZnodeStep.asked(Kind.SET_ACL, path, null, version);
    return one(
        OpCode.setACL,
        new SetACLRequest(path, Ids.OPEN_ACL_UNSAFE, version),
        response,
        asked,
        () -> asked.answered(path, stat(response.getStat())),
        null);
  }

  /** Removes a node. */
  public Code remove(String path, int version) throws InterruptedException {
    ZnodeStep asked = ZnodeStep.asked(Kind.DELETE, path, null, version);
    return one(
        OpCode.delete,
        new DeleteRequest(path, version),
        null,
        asked,
        () -> asked.answered(path, null),
        null);
  }

  // ---- reads

  /** Reads the data. */
  public Code read(String path, boolean watching) throws InterruptedException {
    GetDataResponse response = new GetDataResponse();
    ZnodeStep asked = ZnodeStep.asked(Kind.READ, path, null, ZnodeStep.ANY);
    return one(
        OpCode.getData,
        new GetDataRequest(path, watching),
        response,
        asked,
        () -> asked.read(text(response.getData()), null, stat(response.getStat())),
        watching ? new RecordedWatch(session, path, false) : null);
  }

  /** Asks whether there is such a node. */
  public Code look(String path, boolean watching) throws InterruptedException {
    ExistsResponse response = new ExistsResponse();
    ZnodeStep asked = ZnodeStep.asked(Kind.READ, path, null, ZnodeStep.ANY);
    return one(
        OpCode.exists,
        new ExistsRequest(path, watching),
        response,
        asked,
        () -> asked.read(null, null, stat(response.getStat())),
        watching ? new RecordedWatch(session, path, false) : null);
  }

  /** Reads the names of the children. */
  public Code list(String path, boolean watching) throws InterruptedException {
    GetChildren2Response response = new GetChildren2Response();
    ZnodeStep asked = ZnodeStep.asked(Kind.READ, path, null, ZnodeStep.ANY);
    return one(
        OpCode.getChildren2,
        new GetChildren2Request(path, watching),
        response,
        asked,
        () -> asked.read(null, response.getChildren(), stat(response.getStat())),
        watching ? new RecordedWatch(session, path, true) : null);
  }

  /** Reads the access list. */
  public Code readAcl(String path) throws InterruptedException {
    GetACLResponse response = new GetACLResponse();
    ZnodeStep asked = ZnodeStep.asked(Kind.READ, path, null, ZnodeStep.ANY);
    return one(
        OpCode.getACL,
        new GetACLRequest(path),
        response,
        asked,
        () -> asked.read(null, null, stat(response.getStat())),
        null);
  }

  /** The barrier. */
  public Code barrier(String path) throws InterruptedException {
    ZnodeStep asked = ZnodeStep.asked(Kind.SYNC, path, null, ZnodeStep.ANY);
    return one(OpCode.sync, new SyncRequest(path), new SyncResponse(), asked, () -> asked, null);
  }

  // ---- several at once

  /** A transaction of these steps; values are new. Steps that create make nodes that last. */
  public Code transaction(List<ZnodeStep> wanted) throws InterruptedException {
    List<ZnodeStep> asked = new ArrayList<>();
    List<Op> ops = new ArrayList<>();
    for (ZnodeStep step : wanted) {
      boolean valued = step.kind() == Kind.SET || step.kind() == Kind.CREATE;
      String value = valued ? recorder.nextValue() : null;
      asked.add(ZnodeStep.asked(step.kind(), step.path(), value, step.expected()));
      ops.add(
          switch (step.kind()) {
            case CREATE ->
                Op.create(
                    step.path(),
                    bytes(value),
                    CreateOptions.newBuilder(Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT).build());
            case SET -> Op.setData(step.path(), bytes(value), step.expected());
            case DELETE -> Op.delete(step.path(), step.expected());
            case CHECK -> Op.check(step.path(), step.expected());
            default -> throw new IllegalArgumentException("Not in a transaction: " + step);
          });
    }
    return several(OpCode.multi, ops, asked);
  }

  /** Reads the data of all of these at once. */
  public Code readAll(List<String> paths) throws InterruptedException {
    List<Op> ops = paths.stream().map(Op::getData).toList();
    return several(
        OpCode.multiRead,
        ops,
        paths.stream().map(path -> ZnodeStep.asked(Kind.READ, path, null, ZnodeStep.ANY)).toList());
  }

  private Code several(int opCode, List<Op> ops, List<ZnodeStep> asked)
      throws InterruptedException {
    MultiResponse response = new MultiResponse();
    return call(
        opCode,
        new MultiOperationRecord(ops),
        response,
        asked,
        code -> {
          List<ZnodeStep> answered = new ArrayList<>();
          for (int i = 0; i < response.getResultList().size(); i++) {
            answered.add(answer(asked.get(i), response.getResultList().get(i)));
          }
          return answered.isEmpty() ? asked : answered;
        },
        null);
  }

  private static ZnodeStep answer(ZnodeStep asked, OpResult result) {
    if (result instanceof OpResult.ErrorResult error) {
      return error.getErr() == 0 ? asked : asked.failed(error.getErr());
    }
    if (result instanceof OpResult.CreateResult created) {
      return asked.answered(created.getPath(), stat(created.getStat()));
    }
    if (result instanceof OpResult.SetDataResult set) {
      return asked.answered(asked.path(), stat(set.getStat()));
    }
    if (result instanceof OpResult.GetDataResult data) {
      return asked.read(text(data.getData()), null, stat(data.getStat()));
    }
    return asked;
  }

  // ---- the wire

  /** Makes the answered step. */
  @FunctionalInterface
  private interface Answer {
    ZnodeStep make();
  }

  /** Makes the answered steps. */
  @FunctionalInterface
  private interface Answers {
    List<ZnodeStep> make(Code code);
  }

  private Code one(
      int opCode,
      Record request,
      Record response,
      ZnodeStep asked,
      Answer answer,
      RecordedWatch watch)
      throws InterruptedException {
    return call(
        opCode,
        request,
        response,
        List.of(asked),
        code -> List.of(code == Code.OK ? answer.make() : asked.failed(code.intValue())),
        watch);
  }

  private Code call(
      int opCode,
      Record request,
      Record response,
      List<ZnodeStep> asked,
      Answers answers,
      RecordedWatch watch)
      throws InterruptedException {
    RequestHeader header = new RequestHeader();
    header.setType(opCode);
    ReplyHeader reply = new ReplyHeader();
    CompletableFuture<Code> done = new CompletableFuture<>();
    long begin = System.nanoTime();
    String path = asked.get(0).path();
    Consumer<Integer> answered =
        rc -> {
          try {
            done.complete(
                onAnswer(asked, answers, begin, Code.get(rc), reply.getZxid(), watch, opCode));
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        };
    cnxn.queuePacket(
        header,
        reply,
        request,
        response,
        callback(opCode, answered),
        path,
        path,
        null,
        registration(opCode, path, watch));
    try {
      return done.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("An answer to " + asked + " cannot be read", e);
    }
  }

  private Code onAnswer(
      List<ZnodeStep> asked,
      Answers answers,
      long begin,
      Code code,
      long zxid,
      RecordedWatch watch,
      int opCode) {
    long now = System.nanoTime();
    if (OUTCOME_UNKNOWN.contains(code)) {
      recorder.onCall(
          new ZnodeCall(
              session, recorded.by(), asked, begin, Access.NEVER, 0, 0, promiseOf(asked)));
      return code;
    }
    List<ZnodeStep> steps = answers.make(code);
    int error = code.intValue();
    if (opCode == OpCode.multi && error == 0) {
      error = steps.stream().mapToInt(ZnodeStep::error).filter(e -> e != 0).findFirst().orElse(0);
    }
    recorder.onCall(
        new ZnodeCall(session, recorded.by(), steps, begin, now, error, zxid, promiseOf(asked)));
    if (watch != null && (code == Code.OK || (code == Code.NONODE && opCode == OpCode.exists))) {
      watch.onSet(zxid, now);
      recorder.onWatch(watch);
    }
    return Code.get(error);
  }

  private ZnodeCall.Promise promiseOf(List<ZnodeStep> steps) {
    return steps.stream().anyMatch(step -> step.path().startsWith(recorded.immediatePrefix() + "/"))
            && steps.stream().noneMatch(step -> step.kind() == Kind.READ)
        ? ZnodeCall.Promise.IMMEDIATE_DURABILITY
        : recorded.promise();
  }

  /** ZooKeeper chooses the method by the kind of response. */
  private static AsyncCallback callback(int opCode, Consumer<Integer> answered) {
    return switch (opCode) {
      case OpCode.create2, OpCode.createTTL, OpCode.createContainer ->
          (AsyncCallback.Create2Callback) (rc, path, context, name, stat) -> answered.accept(rc);
      case OpCode.setData, OpCode.setACL, OpCode.exists ->
          (AsyncCallback.StatCallback) (rc, path, context, stat) -> answered.accept(rc);
      case OpCode.getData ->
          (AsyncCallback.DataCallback) (rc, path, context, data, stat) -> answered.accept(rc);
      case OpCode.getChildren2 ->
          (AsyncCallback.Children2Callback)
              (rc, path, context, children, stat) -> answered.accept(rc);
      case OpCode.getACL ->
          (AsyncCallback.ACLCallback) (rc, path, context, acl, stat) -> answered.accept(rc);
      case OpCode.multi, OpCode.multiRead ->
          (AsyncCallback.MultiCallback)
              (rc, path, context, results) ->
                  answered.accept(results == null ? rc : Code.OK.intValue());
      default -> (AsyncCallback.VoidCallback) (rc, path, context) -> answered.accept(rc);
    };
  }

  private WatchRegistration registration(int opCode, String path, RecordedWatch watch) {
    if (watch == null) {
      return null;
    }
    return switch (opCode) {
      case OpCode.getData -> new DataWatchRegistration(watch, path);
      case OpCode.exists -> new ExistsWatchRegistration(watch, path);
      default -> new ChildWatchRegistration(watch, path);
    };
  }

  private static byte[] bytes(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] data) {
    return data == null ? null : new String(data, StandardCharsets.UTF_8);
  }

  private static ZnodeStat stat(Stat stat) {
    return stat == null
        ? null
        : new ZnodeStat(
            stat.getCzxid(),
            stat.getMzxid(),
            stat.getPzxid(),
            stat.getVersion(),
            stat.getCversion(),
            stat.getAversion(),
            stat.getEphemeralOwner(),
            stat.getNumChildren());
  }
}
