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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.simulator.checker.znode.HandmadeHistory.BAD_VERSION;
import static org.orcagrid.simulator.checker.znode.HandmadeHistory.NODE_EXISTS;
import static org.orcagrid.simulator.checker.znode.HandmadeHistory.NO_NODE;
import static org.orcagrid.simulator.checker.znode.HandmadeHistory.created;
import static org.orcagrid.simulator.checker.znode.HandmadeHistory.deleted;
import static org.orcagrid.simulator.checker.znode.HandmadeHistory.failed;
import static org.orcagrid.simulator.checker.znode.HandmadeHistory.listed;
import static org.orcagrid.simulator.checker.znode.HandmadeHistory.read;
import static org.orcagrid.simulator.checker.znode.HandmadeHistory.set;
import static org.orcagrid.simulator.checker.znode.HandmadeHistory.stat;
import static org.orcagrid.simulator.checker.znode.HandmadeHistory.zxid;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.simulator.checker.Access;
import org.orcagrid.simulator.checker.znode.ZnodeCall.Promise;
import org.orcagrid.simulator.checker.znode.ZnodeStep.Kind;

/** Each thing that the judge must find, beside the same history without it. */
class ZnodeJudgeTest {
  private static final String A = "/a";
  private static final String B = "/b";

  /** A node that session 1 has made and set once; sessions read it from 30 on. */
  private static HandmadeHistory node() {
    return new HandmadeHistory()
        .create(1, 10, A, "v0", zxid(1, 1))
        .call(1, 20, 0, zxid(1, 2), set(A, "v1", ZnodeStep.ANY, stat(zxid(1, 1), zxid(1, 2), 1)));
  }

  private static ZnodeStep first() {
    return read(A, "v0", stat(zxid(1, 1), zxid(1, 1), 0));
  }

  private static ZnodeStep second() {
    return read(A, "v1", stat(zxid(1, 1), zxid(1, 2), 1));
  }

  private static void passes(HandmadeHistory history) {
    assertEquals(List.of(), history.judge());
  }

  private static void fails(String how, HandmadeHistory history) {
    List<String> found = history.judge();
    assertTrue(
        found.stream().anyMatch(each -> each.contains(how)), () -> how + " is not in " + found);
  }

  // ---- answers and states

  @Test
  void aReadShowsTheStateOfItsZxid() {
    passes(node().call(2, 30, 0, zxid(1, 1), first()));
    passes(node().call(2, 30, 0, zxid(1, 2), second()));
    fails("another state", node().call(2, 30, 0, zxid(1, 2), first()));
    fails("had not applied", node().call(2, 30, 0, zxid(1, 1), second()));
  }

  @Test
  void noDataAreInvented() {
    ZnodeStat stat = stat(zxid(1, 1), zxid(1, 2), 1);
    fails("Two stories", node().call(2, 30, 0, zxid(1, 2), read(A, "v0", stat)));
    fails(
        "nobody had written",
        node().call(2, 30, 0, zxid(1, 3), read(A, "v7", stat(zxid(1, 1), zxid(1, 3), 2))));
    fails(
        "of another node",
        node()
            .create(1, 25, B, "b", zxid(1, 3))
            .unknown(3, 26, ZnodeStep.asked(Kind.SET, B, "v8", ZnodeStep.ANY))
            .call(2, 30, 0, zxid(1, 4), read(A, "v8", stat(zxid(1, 1), zxid(1, 4), 2))));
    passes(
        node()
            .unknown(3, 26, ZnodeStep.asked(Kind.SET, A, "v8", ZnodeStep.ANY))
            .call(2, 30, 0, zxid(1, 4), read(A, "v8", stat(zxid(1, 1), zxid(1, 4), 2))));
  }

  @Test
  void versionsFollowEachOther() {
    ZnodeStat skipping = stat(zxid(1, 1), zxid(1, 3), 3);
    fails(
        "do not follow",
        node()
            .call(1, 30, 0, zxid(1, 3), set(A, "v2", ZnodeStep.ANY, skipping))
            .call(2, 40, 0, zxid(1, 3), read(A, "v2", skipping)));
  }

  @Test
  void aComparisonWithAVersionIsTrue() {
    ZnodeStat next = stat(zxid(1, 1), zxid(1, 3), 2);
    passes(node().call(2, 30, 0, zxid(1, 3), set(A, "v2", 1, next)));
    fails("accepted that is wrong", node().call(2, 30, 0, zxid(1, 3), set(A, "v2", 0, next)));
    passes(node().call(2, 30, BAD_VERSION, zxid(1, 3), failed(Kind.SET, A, 0, BAD_VERSION)));
    fails(
        "refused that is right",
        node().call(2, 30, BAD_VERSION, zxid(1, 3), failed(Kind.SET, A, 1, BAD_VERSION)));
    fails(
        "accepted that is wrong",
        node()
            .call(
                2,
                30,
                0,
                zxid(1, 3),
                ZnodeStep.asked(Kind.CHECK, A, null, 0),
                created(B, "b", zxid(1, 3))));
  }

  @Test
  void whetherANodeIsThereIsTrue() {
    ZnodeStep exists = failed(Kind.CREATE, A, ZnodeStep.ANY, NODE_EXISTS);
    ZnodeStep missing = failed(Kind.READ, A, ZnodeStep.ANY, NO_NODE);
    passes(node().call(2, 30, NODE_EXISTS, zxid(1, 3), exists));
    fails("said to exist", new HandmadeHistory().call(2, 30, NODE_EXISTS, zxid(1, 3), exists));
    fails("is missing", node().call(2, 30, NO_NODE, zxid(1, 2), missing));
    fails("that was there", node().create(2, 30, A, "again", zxid(1, 3)));
    fails(
        "that was missing",
        node().call(1, 30, 0, zxid(1, 3), deleted(A)).call(1, 40, 0, zxid(1, 4), deleted(A)));
    passes(
        node()
            .call(1, 30, 0, zxid(1, 3), deleted(A))
            .call(2, 40, NO_NODE, zxid(1, 3), missing)
            .create(2, 50, A, "again", zxid(1, 4)));
  }

  @Test
  void whatIsGoneDoesNotComeBack() {
    ZnodeStep missing = failed(Kind.READ, A, ZnodeStep.ANY, NO_NODE);
    HandmadeHistory passing =
        new HandmadeHistory()
            .call(
                1,
                10,
                0,
                zxid(1, 1),
                ZnodeStep.asked(Kind.CREATE_PASSING, A, "v0", ZnodeStep.ANY)
                    .answered(A, stat(zxid(1, 1), zxid(1, 1), 0)))
            .call(2, 30, NO_NODE, zxid(1, 5), missing);
    passes(passing);
    fails("it was gone", passing.call(3, 40, 0, zxid(1, 6), first()));
  }

  @Test
  void whatIsGoneDoesNotComeBackElsewhere() {
    fails(
        "It was gone at",
        new HandmadeHistory()
            .create(1, 10, A, "v0", zxid(1, 1))
            .unknown(1, 12, ZnodeStep.asked(Kind.DELETE, A, null, ZnodeStep.ANY))
            .call(2, 30, NO_NODE, zxid(1, 5), failed(Kind.READ, A, ZnodeStep.ANY, NO_NODE))
            .call(3, 40, 0, zxid(1, 4), first()));
  }

  @Test
  void theChildrenAreThoseOfTheZxid() {
    ZnodeStat before = new ZnodeStat(zxid(1, 1), zxid(1, 1), zxid(1, 1), 0, 0, 0, 0, 0);
    ZnodeStat after = new ZnodeStat(zxid(1, 1), zxid(1, 1), zxid(1, 2), 0, 1, 0, 0, 1);
    HandmadeHistory parent =
        new HandmadeHistory()
            .create(1, 10, A, "v0", zxid(1, 1))
            .create(1, 20, "/a/x", "x", zxid(1, 2));
    passes(parent.call(2, 30, 0, zxid(1, 2), listed(A, List.of("x"), after)));
    fails("A child is missing", parent.call(2, 40, 0, zxid(1, 2), listed(A, List.of(), after)));
    fails("as they were before", parent.call(3, 50, 0, zxid(1, 2), listed(A, List.of(), before)));
    fails("not as many", parent.call(2, 60, 0, zxid(1, 2), listed(A, List.of("x", "y"), after)));
    fails(
        "should not be",
        parent
            .call(1, 70, 0, zxid(1, 3), deleted("/a/x"))
            .call(
                2,
                80,
                0,
                zxid(1, 3),
                listed(
                    A,
                    List.of("x"),
                    new ZnodeStat(zxid(1, 1), zxid(1, 1), zxid(1, 3), 0, 2, 0, 0, 1))));
  }

  @Test
  void theVersionsOfTheChildrenGrow() {
    fails(
        "do not grow",
        new HandmadeHistory()
            .create(1, 10, A, "v0", zxid(1, 1))
            .create(1, 20, "/a/x", "x", zxid(1, 2))
            .call(
                2,
                25,
                0,
                zxid(1, 2),
                listed(
                    A,
                    List.of("x"),
                    new ZnodeStat(zxid(1, 1), zxid(1, 1), zxid(1, 2), 0, 2, 0, 0, 1)))
            .create(1, 30, "/a/y", "y", zxid(1, 3))
            .call(
                2,
                40,
                0,
                zxid(1, 3),
                listed(
                    A,
                    List.of("x", "y"),
                    new ZnodeStat(zxid(1, 1), zxid(1, 1), zxid(1, 3), 0, 2, 0, 0, 2))));
  }

  @Test
  void noPartOfATransactionIsSeenWithoutTheOthers() {
    HandmadeHistory both =
        new HandmadeHistory()
            .call(1, 10, 0, zxid(1, 1), created(A, "v0", zxid(1, 1)), created(B, "b0", zxid(1, 1)))
            .call(
                1,
                20,
                0,
                zxid(1, 2),
                set(A, "v1", ZnodeStep.ANY, stat(zxid(1, 1), zxid(1, 2), 1)),
                set(B, "b1", ZnodeStep.ANY, stat(zxid(1, 1), zxid(1, 2), 1)));
    ZnodeStep later = read(B, "b1", stat(zxid(1, 1), zxid(1, 2), 1));
    passes(both.call(2, 30, 0, zxid(1, 2), second(), later));
    fails("another state", both.call(2, 40, 0, zxid(1, 2), first(), later));
  }

  @Test
  void theAccessListIsThatOfTheZxid() {
    fails(
        "version of the access list",
        node()
            .call(
                1,
                30,
                0,
                zxid(1, 3),
                ZnodeStep.asked(Kind.SET_ACL, A, null, ZnodeStep.ANY)
                    .answered(A, new ZnodeStat(zxid(1, 1), zxid(1, 2), zxid(1, 1), 1, 0, 1, 0, 0)))
            .call(2, 40, 0, zxid(1, 3), second()));
  }

  @Test
  void aSequentialNameIsGivenOnceWhateverIsLost() {
    ZnodeStep.Kind kind = Kind.CREATE_SEQUENTIAL;
    long lost = zxid(1, 1);
    long again = zxid(2, 1);
    fails(
        "given twice",
        new HandmadeHistory()
            .call(
                1,
                10,
                0,
                lost,
                ZnodeStep.asked(kind, "/s/n", "v0", -1).answered("/s/n1", stat(lost, lost, 0)))
            .call(
                2,
                20,
                0,
                again,
                ZnodeStep.asked(kind, "/s/n", "v1", -1).answered("/s/n1", stat(again, again, 0))));
  }

  // ---- answers and time

  @Test
  void aReadIsNotOlderThanOneBeforeItByAnotherClient() {
    // Both had begun before one of them ended.
    passes(node().call(2, 30, 0, zxid(1, 2), second()).call(3, 31, 0, zxid(1, 1), first()));
    fails(
        "had been shown before",
        node().call(2, 30, 0, zxid(1, 2), second()).call(3, 40, 0, zxid(1, 1), first()));
  }

  @Test
  void whatWasShownOfOneNodeCountsForAll() {
    HandmadeHistory two =
        node()
            .create(1, 25, B, "b", zxid(1, 3))
            .call(2, 30, 0, zxid(1, 3), read(B, "b", stat(zxid(1, 3), zxid(1, 3), 0)));
    fails("had been shown before", two.call(3, 40, 0, zxid(1, 1), first()));
  }

  @Test
  void aFailedWriteShowsWhatIsBeforeIt() {
    fails(
        "had been shown before",
        node()
            .call(2, 30, BAD_VERSION, zxid(1, 3), failed(Kind.SET, A, 7, BAD_VERSION))
            .call(3, 40, 0, zxid(1, 1), first()));
  }

  @Test
  void aPlainWriteMayBeMissedUnlessItWasDurable() {
    passes(node().call(3, 40, 0, zxid(1, 1), first()));
    fails(
        "had been shown before",
        new HandmadeHistory()
            .create(1, 10, A, "v0", zxid(1, 1))
            .with(Promise.IMMEDIATE_DURABILITY)
            .call(
                1, 20, 0, zxid(1, 2), set(A, "v1", ZnodeStep.ANY, stat(zxid(1, 1), zxid(1, 2), 1)))
            .call(3, 40, 0, zxid(1, 1), first()));
    fails(
        "had been shown before",
        node()
            .call(1, 30, 0, zxid(1, 2), ZnodeStep.asked(Kind.SYNC, "/", null, -1))
            .call(3, 40, 0, zxid(1, 1), first()));
  }

  @Test
  void aLinearizableReadMissesNothingThatWasAcknowledged() {
    // Somebody sees the write later, so that it is not lost.
    HandmadeHistory history =
        node()
            .with(Promise.LINEARIZABLE_READ)
            .call(3, 40, 0, zxid(1, 1), first())
            .call(2, 50, 0, zxid(1, 2), second());
    fails("Not linearizable", history);
  }

  @Test
  void transactionsComeInTheOrderInWhichTheyWereKnown() {
    fails(
        "comes before",
        new HandmadeHistory()
            .create(1, 10, A, "v0", zxid(1, 2))
            .create(2, 20, B, "b", zxid(1, 1))
            .call(3, 30, 0, zxid(1, 2), read(A, "v0", stat(zxid(1, 2), zxid(1, 2), 0))));
  }

  @Test
  void aSessionDoesNotGoBack() {
    fails(
        "goes back",
        node().call(2, 30, 0, zxid(1, 2), second()).call(2, 31, 0, zxid(1, 1), first()));
  }

  // ---- losses

  @Test
  void whatNobodyWasShownMayBeLost() {
    passes(node().call(2, 30, 0, zxid(2, 1), first()));
    passes(
        node()
            .call(
                2, 30, 0, zxid(2, 2), set(A, "v2", ZnodeStep.ANY, stat(zxid(1, 1), zxid(2, 2), 1)))
            .call(3, 40, 0, zxid(2, 2), read(A, "v2", stat(zxid(1, 1), zxid(2, 2), 1))));
  }

  @Test
  void whatWasReadIsNotLost() {
    fails(
        "another state",
        node().call(2, 30, 0, zxid(1, 2), second()).call(3, 40, 0, zxid(2, 1), first()));
  }

  @Test
  void whatIsLostIsTheEnd() {
    // The write of a third transaction was seen: then the second one is there as well.
    HandmadeHistory history =
        node()
            .create(4, 25, B, "b", zxid(1, 3))
            .call(2, 30, 0, zxid(1, 3), read(B, "b", stat(zxid(1, 3), zxid(1, 3), 0)))
            .call(3, 50, 0, zxid(2, 1), first());
    fails("another state", history);
  }

  @Test
  void whatAnAnswerToAWriteTellsOfOthersIsNotLost() {
    HandmadeHistory history =
        node()
            .call(
                2, 30, 0, zxid(1, 3), set(A, "v2", ZnodeStep.ANY, stat(zxid(1, 1), zxid(1, 3), 2)))
            .call(3, 50, 0, zxid(2, 1), first());
    fails("another state", history);
    // Of what it had written itself the session was told before: all of it may be lost.
    passes(
        node()
            .call(
                1, 30, 0, zxid(1, 3), set(A, "v2", ZnodeStep.ANY, stat(zxid(1, 1), zxid(1, 3), 2)))
            .call(3, 50, 0, zxid(2, 1), first()));
  }

  // ---- watches

  @Test
  void aWatchIsFiredBeforeTheStateIsTold() {
    HandmadeHistory told =
        node().call(2, 15, 0, zxid(1, 1), first()).call(2, 30, 0, zxid(1, 2), second());
    passes(told.watch(2, A, zxid(1, 1), 16, zxid(1, 2), 25));
    fails("was not told before", told.watch(2, A, zxid(1, 1), 16, zxid(1, 2), 35));
  }

  @Test
  void noEventIsLost() {
    fails(
        "was not told before",
        node()
            .call(2, 15, 0, zxid(1, 1), first())
            .call(2, 30, 0, zxid(1, 2), second())
            .watch(2, A, zxid(1, 1), 16, 0, Access.NEVER));
  }

  @Test
  void aNodeThatComesAndGoesMayBeMissedWithoutAConnection() {
    ZnodeStep missing = failed(Kind.READ, A, ZnodeStep.ANY, NO_NODE);
    HandmadeHistory history =
        new HandmadeHistory()
            .create(1, 5, B, "b", zxid(1, 1))
            .call(2, 10, NO_NODE, zxid(1, 1), missing)
            .watch(2, A, zxid(1, 1), 11, 0, Access.NEVER)
            .create(1, 20, A, "v0", zxid(1, 2))
            .call(1, 30, 0, zxid(1, 3), deleted(A))
            .call(3, 35, BAD_VERSION, zxid(1, 4), failed(Kind.SET, B, 7, BAD_VERSION))
            .call(2, 40, NO_NODE, zxid(1, 4), missing);
    fails("was not told before", history);
    passes(history.lost(2, 25));
  }

  @Test
  void anEventIsOfTheFirstChange() {
    HandmadeHistory history =
        node()
            .call(2, 15, 0, zxid(1, 1), first())
            .call(
                1, 30, 0, zxid(1, 3), set(A, "v2", ZnodeStep.ANY, stat(zxid(1, 1), zxid(1, 3), 2)));
    fails("skips", history.watch(2, A, zxid(1, 1), 16, zxid(1, 3), 40));
    fails("had seen", history.watch(2, A, zxid(1, 1), 16, zxid(1, 1), 20));
  }
}
