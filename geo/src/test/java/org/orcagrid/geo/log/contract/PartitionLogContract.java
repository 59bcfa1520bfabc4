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
package org.orcagrid.geo.log.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.geo.log.LogKind;
import org.orcagrid.geo.partition.PartitionLog;

/**
 * What every kind of log does, at three real nodes: order, terms, leadership, durability,
 * snapshots, and what it refuses. That a host gets each entry once and in its order is looked at in
 * all of them.
 */
@Timeout(180)
public abstract class PartitionLogContract {
  /** What a log keeps until it is committed is bounded by less. */
  private static final int BACKLOG_MAX = 100_000;

  @TempDir private Path folder;
  private LogLab lab;

  /** The kind of log. Its segments, if it has any, hold less than 200 KB. */
  protected abstract LogKind kind();

  @BeforeEach
  void begin() throws IOException {
    lab = new LogLab(folder, kind());
  }

  /** Looks at what is left in this JVM when all nodes have ended. */
  protected void assertNothingIsLeft() {
    // Logs without threads of their own leave none.
  }

  @AfterEach
  void end() {
    lab.close();
    assertNothingIsLeft();
    assertEquals(List.of(), List.copyOf(lab.failures()));
  }

  private static byte[] bytes(String command) {
    return command.getBytes(StandardCharsets.UTF_8);
  }

  private static String large(int number) {
    return number + "-".repeat(4_000);
  }

  private int other(int node) {
    return (node + 1) % LogLab.NODES;
  }

  @Test
  void allNodesApplyTheSameCommandsInTheSameOrder() {
    int leader = lab.leader();
    long before = -1;
    for (int i = 0; i < 200; i++) {
      byte[] command = bytes("c" + i);
      long index = lab.node(leader).ask(it -> it.log().propose(command));
      assertTrue(index == PartitionLog.REFUSED || index > before, "indexes grow: " + index);
      before = Math.max(before, index);
    }
    lab.write("last");
    List<LabNode.Applied> all = lab.awaitSame("last");
    int number = -1;
    for (LabNode.Applied each : all.subList(0, all.size() - 1)) {
      int next = Integer.parseInt(each.command().substring(1));
      assertTrue(next > number, "in the order of their proposals: " + each);
      number = next;
    }
  }

  @Test
  void anEntryHasTheIndexAndTheTermItsLeaderHasTold() {
    lab.write("first");
    int leader = lab.leader();
    LabNode node = lab.node(leader);
    long term = node.ask(it -> it.log().term());
    long index = node.ask(it -> it.log().propose(bytes("second")));
    lab.await(
        "The entry, or another leader",
        () -> node.ask(it -> it.has("second") || it.log().term() != term));
    List<LabNode.Applied> state = node.ask(LabNode::state);
    LabNode.Applied last = state.get(state.size() - 1);
    if (last.command().equals("second")) {
      assertEquals(new LabNode.Applied(index, term, "second"), last);
      assertArrayEquals(bytes("second"), node.ask(it -> it.log().command(index)));
    }
  }

  @Test
  void whoDoesNotLeadRefusesAndKnowsWhoDoes() {
    lab.write("first");
    lab.await(
        "One leader, whom the others know",
        () -> {
          int leader = lab.leader();
          boolean known = true;
          for (int i = 0; i < LogLab.NODES; i++) {
            known &= lab.node(i).ask(it -> it.log().leader()) == leader;
          }
          return known;
        });
    int leader = lab.leader();
    LabNode follower = lab.node(other(leader));
    long index =
        follower.ask(it -> it.log().leads() ? PartitionLog.REFUSED : it.log().propose(bytes("no")));
    assertEquals(PartitionLog.REFUSED, index);
    lab.write("last");
    assertTrue(lab.awaitSame("last").stream().noneMatch(each -> each.command().equals("no")));
  }

  @Test
  void theLeadershipIsHandedOver() {
    lab.write("first");
    int before = lab.leader();
    long term = lab.node(before).ask(it -> it.log().term());
    int heir = other(before);
    lab.await(
        "The heir's leadership",
        () -> {
          int leader = lab.leader();
          if (leader == before) {
            lab.node(leader)
                .ask(
                    it -> {
                      it.log().transfer(heir);
                      return true;
                    });
          }
          return leader == heir;
        });
    assertTrue(lab.node(heir).ask(it -> it.log().term()) > term, "it is another term");
    lab.write("second");
    lab.awaitSame("second");
  }

  @Test
  void whatIsCommittedIsThereAfterAllNodesWereStartedAgain() throws IOException {
    for (int i = 0; i < 50; i++) {
      lab.write("c" + i);
    }
    List<LabNode.Applied> before = lab.awaitSame("c49");
    for (int i = 0; i < LogLab.NODES; i++) {
      lab.end(i);
    }
    for (int i = 0; i < LogLab.NODES; i++) {
      lab.start(i);
    }
    assertEquals(before, lab.awaitSame("c49"));
    lab.write("more");
    lab.awaitSame("more");
  }

  @Test
  void theOthersGoOnWithoutTheLeader() throws IOException {
    lab.write("first");
    int gone = lab.leader();
    long term = lab.node(gone).ask(it -> it.log().term());
    lab.end(gone);
    lab.write("second");
    int leader = lab.leader();
    assertNotEquals(gone, leader);
    assertTrue(lab.node(leader).ask(it -> it.log().term()) > term, "it is another term");
    lab.start(gone);
    lab.write("third");
    List<LabNode.Applied> all = lab.awaitSame("third");
    assertEquals(
        List.of("first", "second", "third"),
        all.stream().map(LabNode.Applied::command).distinct().toList());
  }

  @Test
  void entriesBehindASnapshotAreGoneAndTheOthersAreThere() throws IOException {
    for (int i = 0; i < 20; i++) {
      lab.write("c" + i);
    }
    lab.awaitSame("c19");
    for (LabNode each : lab.running()) {
      compact(each);
    }
    LabNode node = lab.node(0);
    long first = node.ask(it -> it.log().first());
    assertNull(node.ask(it -> it.log().command(first - 1)));
    lab.write("more");
    List<LabNode.Applied> all = lab.awaitSame("more");
    long index = all.get(all.size() - 1).index();
    assertTrue(index >= first, "it is behind the snapshot");
    assertArrayEquals(bytes("more"), node.ask(it -> it.log().command(index)));
    lab.end(0);
    lab.start(0);
    assertEquals(all, lab.awaitSame("more"));
    assertTrue(lab.node(0).ask(LabNode::restored) > 0, "it begins with the snapshot");
    assertTrue(lab.node(0).ask(it -> it.log().first()) >= first, "and behind it");
  }

  private void compact(LabNode node) {
    long applied =
        node.ask(
            it -> {
              it.snapshot();
              return it.applied();
            });
    lab.await("The snapshot", () -> node.ask(it -> it.log().first()) > applied);
  }

  @Test
  void aFollowerThatMissedEntriesGetsThem() throws IOException {
    lab.write("first");
    int gone = other(lab.leader());
    lab.end(gone);
    for (int i = 0; i < 50; i++) {
      lab.write("c" + i);
    }
    lab.start(gone);
    lab.awaitSame("c49");
  }

  @Test
  void aFollowerBehindTheSnapshotGetsTheSnapshot() throws IOException {
    lab.write("first");
    int gone = other(lab.leader());
    lab.end(gone);
    for (int i = 0; i < 150; i++) {
      lab.write(large(i));
    }
    lab.running().forEach(this::compact);
    lab.write("last");
    lab.start(gone);
    lab.awaitSame("last");
    assertTrue(lab.node(gone).ask(LabNode::restored) > 0, "it got the snapshot");
    lab.write("more");
    lab.awaitSame("more");
  }

  @Test
  void aLeaderWithoutAMajorityRefusesWhatIsTooMuch() throws IOException {
    lab.write("first");
    int leader = lab.leader();
    for (int i = 0; i < LogLab.NODES; i++) {
      if (i != leader) {
        lab.end(i);
      }
    }
    int taken =
        lab.node(leader)
            .ask(
                it -> {
                  int count = 0;
                  while (count < BACKLOG_MAX
                      && it.log().propose(bytes("c" + count)) != PartitionLog.REFUSED) {
                    count++;
                  }
                  return count;
                });
    assertTrue(taken < BACKLOG_MAX, "it took " + taken);
    for (int i = 0; i < LogLab.NODES; i++) {
      if (i != leader) {
        lab.start(i);
      }
    }
    lab.write("last");
    lab.awaitSame("last");
  }

  @Test
  void aNewLeaderHasHeardTheTimeOfAMajority() {
    lab.write("first");
    int gone = lab.leader();
    for (int i = 0; i < LogLab.NODES; i++) {
      int number = i;
      lab.node(i)
          .ask(
              it -> {
                it.setTime(number == gone ? 0 : 1_000_000 + number);
                return true;
              });
    }
    lab.end(gone);
    int leader = lab.leader();
    int other = LogLab.NODES - gone - leader;
    assertEquals(1_000_000 + other, lab.node(leader).ask(LabNode::heard));
  }
}
