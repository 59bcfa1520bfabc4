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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestProcessor;
import org.apache.zookeeper.server.ZooKeeperServerListener;
import org.orcagrid.server.gate.ReplyRules;

/**
 * The leader's commit processor, which executes a read that has to be linearizable, and a {@code
 * sync}, behind everything that was committed when it came.
 *
 * <p>Stock executes queued reads ahead of queued commits, and a follower may have answered the
 * writes of these by then. Where the tree lags behind, such a read waits in its session's order
 * like a write, and the leader commits it as it answers a learner's sync: behind what is
 * outstanding. That keeps the order which stock relies on, that local requests are committed as
 * they were queued. Where the tree has everything, the read costs what any read does.
 */
final class OrcaLeaderCommitProcessor extends CommitProcessor {

  /** The leader's order of commits. */
  interface Order {
    /** Whether something is committed that the tree does not have. */
    boolean isAhead();

    /** Commits {@code read} behind everything that is committed or outstanding. */
    void place(Request read);
  }

  private final Predicate<Request> linearizable;
  private final Order order;

  /** Reads that wait for their place and have not been executed yet. */
  private final Set<Request> placed;

  /** A processor that is not started; {@code linearizable} says of a read what it has to be. */
  OrcaLeaderCommitProcessor(
      RequestProcessor next,
      String id,
      ZooKeeperServerListener listener,
      Predicate<Request> linearizable,
      Order order) {
    this(new Executing(next, ConcurrentHashMap.newKeySet()), id, listener, linearizable, order);
  }

  private OrcaLeaderCommitProcessor(
      Executing next,
      String id,
      ZooKeeperServerListener listener,
      Predicate<Request> linearizable,
      Order order) {
    super(next, id, false, listener);
    this.linearizable = linearizable;
    this.order = order;
    this.placed = next.placed();
  }

  /** Notes that a read is executed. */
  private record Executing(RequestProcessor next, Set<Request> placed) implements RequestProcessor {
    @Override
    public void processRequest(Request request) throws RequestProcessorException {
      if (mayBePlaced(request)) {
        placed.remove(request);
        Request write = CommittedPlace.takeWrite(request);
        if (write != null) {
          next.processRequest(write);
        }
      }
      next.processRequest(request);
    }

    @Override
    public void shutdown() {
      next.shutdown();
    }
  }

  private static boolean mayBePlaced(Request request) {
    return request.type == OpCode.sync || ReplyRules.isRead(request.type);
  }

  private boolean isToBeLinearizable(Request request) {
    return request.type == OpCode.sync
        || (ReplyRules.isRead(request.type) && linearizable.test(request));
  }

  /** Stable for a read from before it is queued until it is executed. */
  @Override
  protected boolean needCommit(Request request) {
    return (mayBePlaced(request) && placed.contains(request)) || super.needCommit(request);
  }

  @Override
  public void processRequest(Request request) {
    boolean place = !request.isThrottled() && isToBeLinearizable(request) && order.isAhead();
    if (place) {
      placed.add(request);
    }
    super.processRequest(request);
    if (place) {
      order.place(request);
    }
  }
}
