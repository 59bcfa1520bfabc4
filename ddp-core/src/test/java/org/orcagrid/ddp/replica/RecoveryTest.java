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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.Recovery;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ValueTime;
import org.orcagrid.ddp.replica.state.Write;

/** What a log says. */
class RecoveryTest {
  private static final Key KEY = Key.of("a");
  private static final Key OTHER = Key.of("b");

  private static Write write(Key key, long clock) {
    return new Write(key, clock, new byte[] {(byte) clock});
  }

  private static Set<Write> latest(LogRecord... log) {
    Recovery recovery = new Recovery();
    List.of(log).forEach(recovery::add);
    return Set.copyOf(recovery.latest(ValueTime.NEVER).values());
  }

  /** An update whose history nobody has may have completed: it was durable everywhere. */
  @Test
  void whatHasCompletedStaysInTheLogThoughItsHistoryIsGone() {
    assertNotNull(orphanAfterACheckpoint(ReplicaRule.all()));
    assertNull(orphanAfterACheckpoint(ReplicaRule.allBut(ReplicaRule.ORPHANS_LOGGED)));
  }

  private static Write orphanAfterACheckpoint(Set<ReplicaRule> rules) {
    ReplicaNodes nodes =
        new ReplicaNodes("causal/strict", 3, rules, new ReplicaSettings.Limits(100, 1000, 10));
    Key first = Key.of("first");
    Key second = Key.of("second");
    nodes.submit(0, nodes.replica(0).openSession(null), Operation.write(first, new byte[1]));
    nodes.deliver(0, 2);
    nodes.force(0);
    nodes.force(2);
    Operation write =
        nodes.submit(2, nodes.replica(2).openSession(null), Operation.write(second, new byte[1]));
    nodes.deliver(2, 1);
    nodes.deliver(2, 0);
    for (int node = 0; node < 3; node++) {
      nodes.force(node);
    }
    nodes.deliver(1, 2);
    nodes.deliver(0, 2);
    assertEquals(Operation.Status.DONE, write.status());
    nodes.crash(0);
    nodes.crash(2);
    nodes.view(List.of(0, nodes.life(1), 0), 2);
    nodes.settle();
    assertNull(nodes.replica(1).peek(second), "it does not show it without its history");

    int before = nodes.trimmed(1);
    ReplicaSession session = nodes.replica(1).openSession(null);
    for (int i = 0; nodes.trimmed(1) < before + 20; i++) {
      nodes.submit(1, session, Operation.write(Key.of("other"), new byte[20]));
      nodes.settle();
      nodes.replica(1).makeRoom();
      nodes.replica(1).tick(i);
      nodes.replica(1).flush(i);
    }
    nodes.crash(1);
    nodes.start(1);
    nodes.view(List.of(0, nodes.life(1), 0), 0);
    nodes.settle();
    return nodes.replica(1).peek(second);
  }

  @Test
  void theLatestVersionCountsWhateverTheOrder() {
    Write later = write(KEY, 5);
    assertEquals(
        Set.of(later), latest(new LogRecord.Version(later), new LogRecord.Version(write(KEY, 3))));
  }

  @Test
  void aBatchCountsAndWhatHasNotEndedDoesNot() {
    Write one = write(KEY, 5);
    Write two = write(OTHER, 6);
    assertEquals(
        Set.of(one, two),
        latest(
            new LogRecord.Begun(1),
            new LogRecord.Tentative(1, write(KEY, 9)),
            new LogRecord.Batch(List.of(one, two))));
  }

  @Test
  void whatWasBeforeAnAdoptionDoesNotCountOnceThatIsWhole() {
    Write before = write(KEY, 9);
    Write meanwhile = write(OTHER, 3);
    Write adopted = write(KEY, 5);
    List<LogRecord> log =
        List.of(
            new LogRecord.Version(before),
            new LogRecord.AdoptionBegin(4),
            new LogRecord.Version(meanwhile),
            new LogRecord.Learned(6, List.of(adopted)),
            new LogRecord.AdoptionEnd(4, 6));
    assertEquals(Set.of(before, meanwhile), latest(log.subList(0, 4).toArray(LogRecord[]::new)));
    assertEquals(Set.of(adopted, meanwhile), latest(log.toArray(LogRecord[]::new)));
  }

  @Test
  void whatWasLearnedCountsWhenAllOfItIsThereAndNotWhatWasBegunBefore() {
    Write kept = write(KEY, 2);
    LogRecord left = new LogRecord.Learned(3, List.of(write(KEY, 9)));
    LogRecord page = new LogRecord.Learned(5, List.of(write(KEY, 4)));
    LogRecord rest = new LogRecord.Learned(5, List.of(write(OTHER, 3)));
    LogRecord version = new LogRecord.Version(kept);
    assertEquals(Set.of(kept), latest(version, left, page, rest));
    assertEquals(Set.of(kept), latest(version, left, page, rest, new LogRecord.AdoptionEnd(0, 3)));
    assertEquals(
        Set.of(write(KEY, 4), write(OTHER, 3)),
        latest(version, left, page, rest, new LogRecord.AdoptionEnd(0, 5)));
  }

  @Test
  void whatWasBeforeACheckpointDoesNotCountOnceThatIsWhole() {
    LogRecord before = new LogRecord.Version(write(OTHER, 9));
    LogRecord begin = new LogRecord.CheckpointBegin(10);
    LogRecord entry = new LogRecord.Batch(List.of(write(KEY, 5)));
    LogRecord end = new LogRecord.CheckpointEnd(10);
    LogRecord behind = new LogRecord.Version(write(KEY, 7));
    assertEquals(Set.of(write(OTHER, 9), write(KEY, 5)), latest(before, begin, entry));
    assertEquals(Set.of(write(KEY, 5)), latest(before, begin, entry, end));
    assertEquals(Set.of(write(KEY, 7)), latest(before, begin, entry, end, behind));
    LogRecord left = new LogRecord.CheckpointBegin(10);
    assertEquals(
        Set.of(write(KEY, 5)),
        latest(before, left, before, begin, entry, end),
        "one that was left without its end does not keep it");
  }
}
