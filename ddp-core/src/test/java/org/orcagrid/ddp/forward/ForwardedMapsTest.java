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
package org.orcagrid.ddp.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.MapWatcher;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.map.SessionEndedException;
import org.orcagrid.ddp.map.Shown;
import org.orcagrid.ddp.map.Withdrawable;
import org.orcagrid.ddp.membership.Shares;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** A node without a map finds one that has it, on a clock that only the test moves. */
class ForwardedMapsTest {
  private static final int NODES = 3;
  private static final int COPIES = 2;
  private static final MapDefinition MAP =
      new MapDefinition(1, "stock", Ddp.parse("linearizable/synchronous"), Conflicts.ABORT, COPIES);

  private final int homes = Shares.NONE.homes(MAP.id(), COPIES, Quorum.all(NODES));
  private final int self = Integer.numberOfTrailingZeros(Quorum.all(NODES) & ~homes);
  private final int one = Integer.numberOfTrailingZeros(homes);
  private final int other = Integer.numberOfTrailingZeros(homes & (homes - 1));
  private final Neighbours neighbours = new Neighbours(NODES, MAP);
  private final ForwardedMaps maps =
      new ForwardedMaps(
          neighbours.node(self), neighbours::view, neighbours, () -> neighbours.nanos);

  private static Operation write(String value) {
    return Operation.write(
        Key.of("key".getBytes(StandardCharsets.UTF_8)), value.getBytes(StandardCharsets.UTF_8));
  }

  private static Throwable failure(CompletableFuture<?> of) {
    assertTrue(of.isDone(), "it has ended");
    return assertThrows(ExecutionException.class, of::get).getCause();
  }

  @Test
  void operationsWaitInTheirOrderUntilAHomeSaysThatItHasTheMap() {
    MapSession session = maps.openSession(MAP);
    MapSession beside = session.openBeside();
    List<CompletableFuture<Operation>> all = new ArrayList<>();
    all.add(session.submit(write("a")));
    all.add(beside.submit(write("c")));
    all.add(session.submit(write("b")));
    neighbours.pass(Route.PAUSE_NANOS * 10);
    assertTrue(all.stream().noneMatch(CompletableFuture::isDone), "no home has the map yet");
    assertEquals(3, maps.waiting());
    neighbours.node(other).host(MAP);
    neighbours.pass(Route.PAUSE_NANOS);
    assertTrue(all.stream().allMatch(each -> each.isDone() && !each.isCompletedExceptionally()));
    assertEquals(List.of("a", "b", "c"), neighbours.node(other).done());
    assertEquals(0, maps.waiting());
    assertDone(session.submit(write("d")));
    assertDone(beside.submit(write("e")));
    Neighbours.ToldSession first = neighbours.node(other).sessions.get(0);
    assertEquals(List.of("a", "b", "d"), first.done);
    assertEquals(List.of("c", "e"), first.beside.element().done, "it is beside the first");
  }

  @Test
  void aSearchEndsInTimeAndNothingWasDone() {
    MapSession session = maps.openSession(MAP);
    CompletableFuture<Operation> waits = session.submit(write("a"));
    neighbours.pass(Route.SEARCH_NANOS - Route.PAUSE_NANOS);
    assertFalse(waits.isDone(), "homes may still say that they have it");
    neighbours.pass(2 * Route.PAUSE_NANOS);
    Throwable reason = assertInstanceOf(NotBegunException.class, failure(waits));
    assertTrue(reason.getMessage().contains("node " + one + ": it is not here"), reason::toString);
    assertTrue(session.isEnded(), "the caller opens another one");
    assertInstanceOf(NotBegunException.class, failure(session.submit(write("b"))));
    assertInstanceOf(NotBegunException.class, failure(session.openBeside().submit(write("b"))));
    neighbours.node(one).host(MAP);
    assertDone(maps.openSession(MAP).submit(write("c")));
    assertEquals(List.of("c"), neighbours.node(one).done());
  }

  @Test
  void aHomeThatDoesNotAnswerIsPassedBy() {
    neighbours.node(one).isSilent = true;
    neighbours.node(other).isSilent = true;
    CompletableFuture<Operation> waits = maps.openSession(MAP).submit(write("a"));
    neighbours.node(other).isSilent = false;
    neighbours.node(other).host(MAP);
    neighbours.pass(Route.ANSWER_NANOS + Route.PAUSE_NANOS + Route.ANSWER_NANOS);
    assertTrue(waits.isDone(), "the other one is asked");
    assertEquals(List.of("a"), neighbours.node(other).done());
  }

  @Test
  void whoMustNotWaitIsToldThatAHomeIsLookedFor() {
    assertThrows(NotBegunException.class, () -> maps.openSessionNow(MAP));
    assertThrows(NotBegunException.class, () -> maps.openSessionNow(MAP));
    assertEquals(1, neighbours.node(one).asked, "there is one search for all");
    neighbours.node(one).host(MAP);
    neighbours.pass(Route.PAUSE_NANOS);
    assertFalse(maps.openSessionNow(MAP).isEnded());
  }

  @Test
  void whatWaitsIsBounded() {
    MapSession session = maps.openSession(MAP);
    for (int i = 0; i < Backlog.OPERATIONS_MAX; i++) {
      assertFalse(session.submit(write("a")).isDone());
    }
    assertInstanceOf(
        RejectedExecutionException.class, failure(maps.openSession(MAP).submit(write("b"))));
    session.close();
    assertEquals(0, maps.waiting());
    MapSession large = maps.openSession(MAP);
    String value = "x".repeat(512 << 10);
    for (int i = 0; i < Backlog.BYTES_MAX / value.length(); i++) {
      assertFalse(large.submit(write(value)).isDone());
    }
    assertInstanceOf(RejectedExecutionException.class, failure(large.submit(write(value))));
  }

  @Test
  void whatWaitsCanBeTakenBackOnce() {
    MapSession session = maps.openSession(MAP);
    CompletableFuture<Operation> first = session.submit(write("a"));
    CompletableFuture<Operation> second = session.submit(write("b"));
    assertTrue(((Withdrawable) first).withdraw());
    assertFalse(((Withdrawable) first).withdraw());
    assertInstanceOf(NotBegunException.class, failure(first));
    neighbours.node(one).host(MAP);
    neighbours.pass(Route.PAUSE_NANOS);
    assertTrue(second.isDone());
    assertFalse(((Withdrawable) second).withdraw(), "it is done");
    assertEquals(List.of("b"), neighbours.node(one).done());
  }

  @Test
  void aSessionThatEndsMakesTheNextOneLookForAHome() {
    neighbours.node(one).host(MAP);
    neighbours.node(other).host(MAP);
    MapSession session = maps.openSession(MAP);
    assertNull(assertDone(session.submit(write("a"))).failure());
    int first = neighbours.node(one).done().isEmpty() ? other : one;
    int next = first == one ? other : one;
    neighbours.node(first).has.clear();
    assertInstanceOf(SessionEndedException.class, failure(session.submit(write("b"))));
    assertTrue(session.isEnded());
    assertDone(maps.openSession(MAP).submit(write("c")));
    assertEquals(List.of("c"), neighbours.node(next).done(), "views need not have told of it");
  }

  private static Operation assertDone(CompletableFuture<Operation> of) {
    assertTrue(of.isDone() && !of.isCompletedExceptionally());
    return of.join();
  }

  @Test
  void aWayThatIsLostAndAHomeThatIsNoMemberAreNotUsed() {
    neighbours.node(one).host(MAP);
    assertDone(maps.openSession(MAP).submit(write("a")));
    assertEquals(List.of("a"), neighbours.node(one).done());
    Neighbours.Told lost = neighbours.node(one);
    neighbours.replace(one);
    neighbours.node(one).host(MAP);
    assertDone(maps.openSession(MAP).submit(write("b")));
    assertEquals(List.of("a"), lost.done());
    assertEquals(List.of("b"), neighbours.node(one).done());
    neighbours.members &= ~Quorum.of(one);
    neighbours.serving = neighbours.members;
    neighbours.node(other).host(MAP);
    assertDone(maps.openSession(MAP).submit(write("c")));
    assertEquals(List.of("c"), neighbours.node(other).done());
  }

  @Test
  void aHomeThatServesIsPreferredAndOneThatDoesNotIsBetterThanNone() {
    neighbours.node(one).host(MAP);
    neighbours.node(other).host(MAP);
    neighbours.node(one).serves = false;
    neighbours.node(other).serves = false;
    MapSession waits = maps.openSession(MAP);
    assertDone(waits.submit(write("a")));
    assertEquals(
        List.of("a"),
        neighbours.node(one).done().isEmpty()
            ? neighbours.node(other).done()
            : neighbours.node(one).done());
    int used = neighbours.node(one).done().isEmpty() ? other : one;
    int better = used == one ? other : one;
    neighbours.node(better).serves = true;
    neighbours.node(used).sessions.forEach(each -> each.ended = true);
    assertTrue(waits.isEnded());
    assertDone(maps.openSession(MAP).submit(write("b")));
    assertEquals(List.of("b"), neighbours.node(better).done());
  }

  @Test
  void aMapThatComesHereIsUsedHereAndOneThatIsGoneIsNotLookedFor() {
    MapSession session = maps.openSession(MAP);
    CompletableFuture<Operation> waits = session.submit(write("a"));
    neighbours.node(self).host(MAP);
    neighbours.pass(Route.PAUSE_NANOS);
    assertTrue(waits.isDone());
    assertEquals(List.of("a"), neighbours.node(self).done());
    neighbours.node(self).has.clear();
    CompletableFuture<Operation> removed = maps.openSession(MAP).submit(write("b"));
    neighbours.map = null;
    neighbours.pass(Route.PAUSE_NANOS);
    assertInstanceOf(NotBegunException.class, failure(removed));
  }

  /** Homes learn of it from the next view, which they may not have yet. */
  @Test
  void aMapThatWasRemovedThroughThisNodeIsNotUsedAtHomesThatStillHaveIt() throws Exception {
    neighbours.node(one).host(MAP);
    neighbours.node(other).host(MAP);
    MapSession session = maps.openSession(MAP);
    assertDone(session.submit(write("a")));
    maps.remove(MAP.name(), 0);
    assertTrue(session.isEnded());
    assertInstanceOf(NotBegunException.class, failure(session.submit(write("b"))));
    assertInstanceOf(NotBegunException.class, failure(session.openBeside().submit(write("b"))));
    assertInstanceOf(NotBegunException.class, failure(maps.openSession(MAP).submit(write("b"))));
    assertInstanceOf(NotBegunException.class, failure(maps.state(MAP)));
    assertEquals(1, neighbours.node(one).done().size() + neighbours.node(other).done().size());
  }

  @Test
  void aMapAtEveryNodeIsNeverForwarded() {
    MapDefinition everywhere =
        new MapDefinition(2, "all", Ddp.parse("linearizable/synchronous"), Conflicts.ABORT, 0);
    neighbours.node(one).host(everywhere);
    assertFalse(maps.isElsewhere(everywhere));
    assertTrue(maps.isElsewhere(MAP));
    assertInstanceOf(
        SessionEndedException.class, failure(maps.openSession(everywhere).submit(write("a"))));
    assertEquals(List.of(), neighbours.node(one).sessions);
    assertNull(maps.definition(2), "a client is told that the node does not have it");
    assertSame(MAP, maps.definition(1));
  }

  private static final class Ear implements MapWatcher {
    private int told;
    private int ended;

    @Override
    public void onShown(Shown change) {
      told++;
    }

    @Override
    public void onEnded() {
      ended++;
    }
  }

  @Test
  void watchersAreToldByAHomeUntilItEnds() {
    Ear ear = new Ear();
    CompletableFuture<Void> watching = maps.watch(MAP, ear);
    assertFalse(watching.isDone());
    neighbours.node(one).host(MAP);
    neighbours.pass(Route.PAUSE_NANOS);
    assertTrue(watching.isDone());
    Shown change = new Shown(Key.of(new byte[1]), null, null, true, false);
    MapWatcher there = neighbours.node(one).watchers.get(0);
    there.onShown(change);
    there.onEnded();
    there.onEnded();
    assertEquals(1, ear.told);
    assertEquals(1, ear.ended, "the end is told once");
    Ear gone = new Ear();
    assertTrue(maps.watch(MAP, gone).isDone());
    maps.unwatch(MAP, gone);
    assertEquals(
        1, neighbours.node(one).watchers.size(), "only the first, which has ended, is left");
    assertEquals(0, gone.ended, "who listens no more is told nothing");
  }

  @Test
  void whoStopsWatchingBeforeAHomeIsFoundIsNotWatchedFor() {
    Ear ear = new Ear();
    CompletableFuture<Void> watching = maps.watch(MAP, ear);
    maps.unwatch(MAP, ear);
    neighbours.node(one).host(MAP);
    neighbours.pass(Route.PAUSE_NANOS);
    assertTrue(watching.isDone());
    assertEquals(List.of(), neighbours.node(one).watchers);
  }

  @Test
  void aNodeThatIsClosedLooksForNothing() {
    CompletableFuture<Operation> waits = maps.openSession(MAP).submit(write("a"));
    Ear ear = new Ear();
    CompletableFuture<Void> watching = maps.watch(MAP, ear);
    assertNull(maps.failure());
    maps.close();
    assertInstanceOf(IllegalStateException.class, maps.failure());
    for (Executable each :
        List.<Executable>of(
            () -> maps.openSession(MAP), () -> maps.openSessionNow(MAP), () -> maps.state(MAP))) {
      assertSame(
          IllegalStateException.class, assertThrows(IllegalStateException.class, each).getClass());
    }
    assertThrows(IllegalStateException.class, () -> maps.watch(MAP, ear));
    neighbours.pass(Route.PAUSE_NANOS);
    assertInstanceOf(NotBegunException.class, failure(waits));
    assertInstanceOf(NotBegunException.class, failure(watching));
    assertEquals(1, ear.ended);
  }
}
