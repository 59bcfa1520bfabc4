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
package org.orcagrid.ddp.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.map.RecoveryText;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.RecoveryReport;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/** What a node says of how its copy came back. */
class RecoveryReportTest {
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2};

  private static void write(ReplicaNodes nodes, int node, String key) {
    ReplicaSession session = nodes.replica(node).openSession(null);
    nodes.submit(node, session, Operation.write(Key.of(key), ONE));
  }

  /** A node is gone, and the two others go on. */
  private static void crash(ReplicaNodes nodes, int node) {
    nodes.crash(node);
    nodes.view(List.of(nodes.life(0), nodes.life(1), 0), 3);
    nodes.settle();
  }

  /** The third node comes back where the others serve. */
  private static RecoveryReport comeBack(ReplicaNodes nodes) {
    nodes.start(2);
    nodes.view(List.of(nodes.life(0), nodes.life(1), nodes.life(2)), 3);
    nodes.settle();
    return nodes.replica(2).recoveryReport();
  }

  @Test
  void whatOthersHaveWrittenMeanwhileWasLacking() {
    for (Ddp model : Ddp.all()) {
      if (model.persistency().isByScope()) {
        // Nothing is in a log before its scope is persisted.
        continue;
      }
      ReplicaNodes nodes = new ReplicaNodes(model.id(), 3);
      assertNull(nodes.replica(2).recoveryReport());
      List.of("a", "b", "c").forEach(key -> write(nodes, 0, key));
      nodes.settle();
      crash(nodes, 2);
      List.of("c", "d", "e", "f").forEach(key -> write(nodes, 1, key));
      nodes.settle();
      RecoveryReport report = comeBack(nodes);
      RecoveryReport expected =
          model.persistency().isOnMedium()
              ? new RecoveryReport(3, 4, 0, false, 0, false)
              : new RecoveryReport(0, 6, 0, false, 0, false);
      assertEquals(expected, report, model.id());
      assertTrue(report.isOfLoss(), "what only this node had may be gone");
    }
  }

  @Test
  void whatOnlyTheLogHasOfAReadModifyWriteIsWithdrawn() {
    ReplicaNodes nodes = new ReplicaNodes("linearizable/strict", 3);
    write(nodes, 0, "a");
    nodes.settle();
    ReplicaSession session = nodes.replica(2).openSession(null);
    nodes.submit(2, session, Operation.compareAndSet(Key.of("a"), ONE, TWO));
    crash(nodes, 2);
    RecoveryReport report = comeBack(nodes);
    assertEquals(1, report.found());
    assertEquals(1, report.withdrawn());
    assertTrue(report.isOfLoss());
  }

  @Test
  void whereAllHaveCrashedEachHasWhatTheOthersLogsHad() {
    ReplicaNodes nodes = new ReplicaNodes("eventual/eventual", 3);
    write(nodes, 0, "everywhere");
    nodes.settle();
    write(nodes, 2, "at one");
    for (int node = 0; node < 3; node++) {
      nodes.crash(node);
    }
    for (int node = 0; node < 3; node++) {
      nodes.start(node);
    }
    nodes.view(List.of(nodes.life(0), nodes.life(1), nodes.life(2)), 0);
    nodes.settle();
    RecoveryReport first = nodes.replica(0).recoveryReport();
    assertEquals(new RecoveryReport(1, 1, 0, true, 0, false), first);
    assertEquals(new RecoveryReport(2, 0, 0, true, 0, false), nodes.replica(2).recoveryReport());
    assertTrue(first.isOfLoss());
    String text = RecoveryText.of(first, Ddp.parse("eventual/eventual"));
    assertTrue(text.contains("also such as were completed and read"), text);
  }

  @Test
  void theLastMarkSaysWhenTheLogWasHere() {
    ReplicaNodes nodes = new ReplicaNodes("causal/eventual", 1);
    nodes.crash(0);
    nodes.log(0).add(new LogRecord.Mark(1, 9_000, true));
    nodes.log(0).add(new LogRecord.Version(new Write(Key.of("a"), 1 << 16, ONE)));
    // The machine's clock was set back meanwhile.
    nodes.log(0).add(new LogRecord.Mark(2, 2_000, false));
    RecoveryReport report = reportOfOne(nodes);
    assertEquals(new RecoveryReport(1, 0, 0, true, 2_000, false), report);
    String text = RecoveryText.of(report, Ddp.parse("causal/eventual"));
    assertTrue(text.contains("until 1970-01-01T00:00:02Z"), text);
  }

  @Test
  void aLogThatWasGoneOnWithWasNotClosed() {
    ReplicaNodes nodes = new ReplicaNodes("causal/eventual", 1);
    nodes.crash(0);
    nodes.log(0).add(new LogRecord.Version(new Write(Key.of("a"), 1 << 16, ONE)));
    nodes.log(0).add(new LogRecord.Mark(1, 1_000, true));
    assertTrue(reportOfOne(nodes).closed());
    nodes.crash(0);
    nodes.log(0).add(new LogRecord.Version(new Write(Key.of("b"), 1 << 17, ONE)));
    assertFalse(reportOfOne(nodes).closed());
  }

  private static RecoveryReport reportOfOne(ReplicaNodes nodes) {
    nodes.start(0);
    nodes.view(List.of(nodes.life(0)), 0);
    nodes.settle();
    return nodes.replica(0).recoveryReport();
  }

  @Test
  void ofScopesItSaysWhatWasPersisted() {
    RecoveryReport report = new RecoveryReport(1, 0, 0, true, 1_000, true);
    String closed = RecoveryText.of(report, Ddp.parse("causal/scope"));
    assertTrue(closed.contains("of any other, all, also what was read"), closed);
    RecoveryReport crashed = new RecoveryReport(1, 0, 0, false, 1_000, false);
    String text = RecoveryText.of(crashed, Ddp.parse("causal/scope"));
    assertTrue(text.contains("all scopes that were persisted here until 1970"), text);
    assertFalse(text.contains("later than that"), text);
  }
}
