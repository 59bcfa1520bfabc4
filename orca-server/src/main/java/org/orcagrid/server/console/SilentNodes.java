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
package org.orcagrid.server.console;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.orcagrid.node.GridSurvey.Answer;
import org.orcagrid.transport.tcp.HostPort;

/**
 * Nodes that have not answered. They are asked again ever more seldom: each that is gone has the
 * page wait, and one that takes no clients logs that it was asked.
 */
final class SilentNodes {
  static final long WAIT_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);
  static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  private final Map<HostPort, Silent> silent = new HashMap<>();

  private record Silent(Answer answer, long waitNanos, long untilNanos) {}

  /** What came of asking a node last, if it is not to be asked again yet; null if it is. */
  Answer instead(HostPort node, long nowNanos) {
    Silent last = silent.get(node);
    return last == null || nowNanos - last.untilNanos() >= 0 ? null : last.answer();
  }

  /** A node was asked. */
  void onAnswer(Answer answer, long nowNanos) {
    if (answer.state() != null) {
      silent.remove(answer.address());
      return;
    }
    Silent before = silent.get(answer.address());
    long wait = before == null ? WAIT_NANOS_MIN : Math.min(WAIT_NANOS_MAX, 2 * before.waitNanos());
    silent.put(answer.address(), new Silent(answer, wait, nowNanos + wait));
  }

  /** Forgets all but these. */
  void retain(Collection<HostPort> nodes) {
    silent.keySet().retainAll(nodes);
  }
}
