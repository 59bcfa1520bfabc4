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
package org.orcagrid.simulator.checker.znode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.orcagrid.simulator.checker.Access;
import org.orcagrid.simulator.checker.znode.ZnodeCall.Promise;
import org.orcagrid.simulator.checker.znode.ZnodeStep.Kind;

/**
 * A history that is written call by call. Each call takes the time from {@code begin} to the next
 * moment; a zxid is its epoch, times a power of two, and a counter.
 */
final class HandmadeHistory {
  static final int NO_NODE = -101;
  static final int BAD_VERSION = -103;
  static final int NODE_EXISTS = -110;

  private final List<ZnodeCall> calls = new ArrayList<>();
  private final List<ZnodeWatch> watches = new ArrayList<>();
  private final List<ZnodeHistory.Loss> losses = new ArrayList<>();
  private Promise promise = Promise.DEFAULT;

  static long zxid(int epoch, int counter) {
    return ((long) epoch << 32) + counter;
  }

  /** A Stat of a node without children and with its first access list. */
  static ZnodeStat stat(long czxid, long mzxid, int version) {
    return new ZnodeStat(czxid, mzxid, czxid, version, 0, 0, 0, 0);
  }

  /** What the next call asks for. */
  HandmadeHistory with(Promise next) {
    promise = next;
    return this;
  }

  HandmadeHistory call(int session, long begin, int error, long zxid, ZnodeStep... steps) {
    calls.add(
        new ZnodeCall(
            session, "a server", Arrays.asList(steps), begin, begin + 1, error, zxid, promise));
    promise = Promise.DEFAULT;
    return this;
  }

  HandmadeHistory unknown(int session, long begin, ZnodeStep step) {
    calls.add(
        new ZnodeCall(
            session, "a server", List.of(step), begin, Access.NEVER, 0, 0, Promise.DEFAULT));
    return this;
  }

  HandmadeHistory create(int session, long begin, String path, String value, long zxid) {
    return call(session, begin, 0, zxid, created(path, value, zxid));
  }

  static ZnodeStep created(String path, String value, long zxid) {
    return ZnodeStep.asked(Kind.CREATE, path, value, ZnodeStep.ANY)
        .answered(path, stat(zxid, zxid, 0));
  }

  static ZnodeStep set(String path, String value, int expected, ZnodeStat stat) {
    return ZnodeStep.asked(Kind.SET, path, value, expected).answered(path, stat);
  }

  static ZnodeStep deleted(String path) {
    return ZnodeStep.asked(Kind.DELETE, path, null, ZnodeStep.ANY).answered(path, null);
  }

  static ZnodeStep read(String path, String value, ZnodeStat stat) {
    return ZnodeStep.asked(Kind.READ, path, null, ZnodeStep.ANY).read(value, null, stat);
  }

  static ZnodeStep listed(String path, List<String> names, ZnodeStat stat) {
    return ZnodeStep.asked(Kind.READ, path, null, ZnodeStep.ANY).read(null, names, stat);
  }

  static ZnodeStep failed(Kind kind, String path, int expected, int code) {
    return ZnodeStep.asked(kind, path, null, expected).failed(code);
  }

  HandmadeHistory watch(
      int session, String path, long zxid, long setNanos, long eventZxid, long eventNanos) {
    watches.add(new ZnodeWatch(session, path, false, zxid, setNanos, eventZxid, eventNanos));
    return this;
  }

  HandmadeHistory lost(int session, long nanos) {
    losses.add(new ZnodeHistory.Loss(session, nanos));
    return this;
  }

  List<String> judge() {
    return ZnodeJudge.judge(new ZnodeHistory(calls, watches, losses));
  }
}
