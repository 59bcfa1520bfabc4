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
package org.orcagrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.FolderPlaces.Place;
import org.orcagrid.ddp.node.Membership;
import org.orcagrid.ddp.node.Roster;

/** The file in which nodes on one machine agree on views. */
@Timeout(60)
class FolderPlacesTest {
  private static final List<String> ADDRESSES = List.of("a:1", "b:2", "c:3");
  private static final Place GONE = new Place("gone", Integer.MAX_VALUE, 1, true);

  @TempDir Path folder;

  private static class Silent implements Membership.Listener {
    @Override
    public void onRoster(Roster next) {}

    @Override
    public boolean isServing() {
      return true;
    }

    @Override
    public void onPlaceLost(String reason) {}
  }

  private static Place here() {
    return Place.of("here", ProcessHandle.current()).serving();
  }

  private Path file() {
    return folder.resolve("views");
  }

  private KernelLock take(int place) throws IOException {
    return new PlaceLocks(file()).take(place).orElseThrow();
  }

  /** Joins where those called "here" run, for they hold their locks. */
  private Roster join(FolderPlaces before, List<String> waits) throws Exception {
    Files.writeString(file(), before.text());
    List<KernelLock> held = new ArrayList<>();
    for (int place = 0; place < before.size(); place++) {
      if (before.places().get(place).id().equals("here")) {
        held.add(take(place));
      }
    }
    try {
      return join(waits);
    } finally {
      for (KernelLock each : held) {
        each.close();
      }
    }
  }

  private Roster join(List<String> waits) throws Exception {
    try (FolderMembership membership = new FolderMembership(file(), ADDRESSES, 1)) {
      // What is waited for is said once; then nobody waits any longer.
      return membership.join(
          "b:2",
          new Silent(),
          text -> {
            waits.add(text);
            membership.close();
          });
    }
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    FolderPlaces places = FolderPlaces.first(7, 3).with(0, GONE).withNewNode(2, here());
    assertEquals(places, FolderPlaces.parse(folder, places.text()));
    assertEquals(2, places.view().number());
    assertEquals(List.of(1, 1, 2), places.view().joined());
    assertEquals(1, places.running(Set.of(2)));
    assertEquals(0, places.running(Set.of(1)), "nobody was at this place");
  }

  @Test
  void whatIsNoViewIsRefused() {
    IOException e =
        assertThrows(IOException.class, () -> FolderPlaces.parse(folder, "grid 1\nview x\n"));
    assertTrue(e.getMessage().startsWith(folder + " is not a grid's view ("), e.getMessage());
  }

  @Test
  void aFirstNodeBeginsInTheViewThatThereIs() throws Exception {
    Roster roster = join(FolderPlaces.first(7, 3).with(0, here()), new ArrayList<>());
    assertEquals(1, roster.view().number());
    assertEquals(7, roster.grid());
    assertEquals(1, roster.self());
  }

  @Test
  void aNodeThatFollowsAnotherMakesTheNextView() throws Exception {
    FolderPlaces before = FolderPlaces.first(7, 3).with(0, here()).with(1, GONE).with(2, here());
    Roster roster = join(before, new ArrayList<>());
    assertEquals(List.of(1, 2, 1), roster.view().joined());
  }

  @Test
  void whereTooFewHaveTheDataNobodyFollows() {
    FolderPlaces before = FolderPlaces.first(7, 3).with(0, here()).with(1, GONE).with(2, GONE);
    List<String> waits = new ArrayList<>();
    assertThrows(IOException.class, () -> join(before, waits));
    assertTrue(waits.get(0).startsWith("2 nodes that hold the data are needed"), waits.get(0));
  }

  @Test
  void aPlaceWhoseProcessRunsIsRefused() {
    FolderPlaces before = FolderPlaces.first(7, 3).with(1, here());
    IOException e = assertThrows(IOException.class, () -> join(before, new ArrayList<>()));
    assertTrue(e.getMessage().startsWith("Node 1 of this grid runs already"), e.getMessage());
  }

  @Test
  void aNodeThatHoldsItsLockRunsWhateverClocksAndProcessIdsSay() throws Exception {
    // As after a step of the clock, or where the process has another number in its container.
    Place stepped = new Place("here", ProcessHandle.current().pid(), 1, true);
    Place contained = new Place("here", Integer.MAX_VALUE, 1, true);
    FolderPlaces before =
        FolderPlaces.first(7, 3).with(0, stepped).with(1, GONE).with(2, contained);
    Roster roster = join(before, new ArrayList<>());
    assertEquals(7, roster.grid());
    assertEquals(List.of(1, 2, 1), roster.view().joined());
  }

  @Test
  void aStrangerWithTheProcessIdOfANodeIsNoNode() throws Exception {
    FolderPlaces before = FolderPlaces.first(7, 3).with(0, here()).with(1, GONE).with(2, GONE);
    Files.writeString(file(), before.text());
    Roster roster = join(new ArrayList<>());
    assertTrue(roster.grid() != 7, "nobody holds a lock: another life of it");
  }

  @Test
  void noGridBeginsAnewBesideANodeThatTheFileDoesNotName() throws Exception {
    try (KernelLock held = take(2)) {
      IOException missing = assertThrows(IOException.class, () -> join(new ArrayList<>()));
      assertEquals(
          "Node 2 runs, as pid "
              + ProcessHandle.current().pid()
              + ", but "
              + file()
              + " is missing or does not name it; stop all nodes and begin anew",
          missing.getMessage(),
          held::toString);
      Files.writeString(file(), FolderPlaces.first(7, 3).with(0, GONE).text());
      IOException unnamed = assertThrows(IOException.class, () -> join(new ArrayList<>()));
      assertTrue(unnamed.getMessage().startsWith("Node 2 runs, as pid "), unnamed.getMessage());
    }
    assertEquals(1, join(new ArrayList<>()).view().number(), "once it has ended");
  }

  @Test
  void aNodeHoldsItsLockUntilItEnds() throws Exception {
    PlaceLocks locks = new PlaceLocks(file());
    try (FolderMembership membership = new FolderMembership(file(), ADDRESSES, 1)) {
      membership.join("b:2", new Silent(), text -> {});
      assertEquals(Set.of(1), locks.running());
    }
    assertEquals(Set.of(), locks.running());
  }

  @Test
  void whoHasLostItsPlaceMarksNothingInTheNextGrid() throws Exception {
    FolderPlaces next = FolderPlaces.first(9, 3).with(1, new Place("other", 1, 1, false));
    CompletableFuture<String> lost = new CompletableFuture<>();
    Membership.Listener listener =
        new Silent() {
          @Override
          public boolean isServing() {
            try {
              // After the look at the file, before the mark.
              Files.writeString(file(), next.text());
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
            return true;
          }

          @Override
          public void onPlaceLost(String reason) {
            lost.complete(reason);
          }
        };
    try (FolderMembership membership = new FolderMembership(file(), ADDRESSES, 1)) {
      membership.join("b:2", listener, text -> {});
      assertTrue(lost.get(20, TimeUnit.SECONDS).contains("begun anew without this node"));
    }
    assertEquals(next.text(), Files.readString(file()));
  }

  @Test
  void whereNobodyIsLeftTheGridBeginsAnew() throws Exception {
    FolderPlaces before = FolderPlaces.first(7, 3).with(0, GONE).with(1, GONE).with(2, GONE);
    Roster roster = join(before, new ArrayList<>());
    assertEquals(1, roster.view().number());
    assertTrue(roster.grid() != 7, "another life of it");
  }
}
