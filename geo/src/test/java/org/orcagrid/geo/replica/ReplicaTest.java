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
package org.orcagrid.geo.replica;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.wire.Encoder;

class ReplicaTest {
  private static final int EPOCH = 1;
  private static final long EXPIRES = 1_000;

  private Replica replica = replica(GeoRule.all());
  private long index;

  private static Replica replica(Set<GeoRule> rules) {
    return new Replica(0, EPOCH, rules, new HybridClock(rules), new DirectMemory(() -> {}));
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private Outcome write(WriteId id, long time, Condition condition, String key, String value) {
    LocalWrite write = new LocalWrite(id, EXPIRES, time, condition, bytes(key), bytes(value));
    return replica.apply(++index, new Command.Local(write));
  }

  private Outcome write(long number, long time, String key, String value) {
    return write(new WriteId(1, number, number), time, null, key, value);
  }

  private void replicated(int origin, RemoteWrite... writes) {
    replica.apply(++index, new Command.Replicated(origin, List.of(writes)));
  }

  private static RemoteWrite remote(long previous, long at, long time, String key, String value) {
    return new RemoteWrite(position(previous), position(at), time, bytes(key), bytes(value));
  }

  private static long position(long at) {
    return at == 0 ? Positions.NONE : Positions.of(EPOCH, at);
  }

  private String value(String key) {
    byte[] value = replica.get(bytes(key)).value();
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  private static byte[] all(Snapshot snapshot) {
    Encoder all = new Encoder();
    while (!snapshot.isDone()) {
      all.putRaw(snapshot.next(10));
    }
    return all.toBytes();
  }

  @Test
  void theLatestVersionWinsAndLosersMoveTheVector() {
    assertEquals(Outcome.Result.DONE, write(1, 10, "k", "here").result());
    replicated(1, remote(0, 4, 9, "k", "earlier"));
    assertEquals("here", value("k"));
    assertEquals(position(4), replica.stable(1));
    replicated(1, remote(4, 7, 10, "k", "same time"));
    assertEquals("same time", value("k"), "of the greater datacenter");
    assertEquals(new Version(10, 1, position(7)), replica.get(bytes("k")).version());
  }

  @Test
  void gapsAndDuplicatesChangeNothing() {
    replicated(1, remote(2, 5, 9, "k", "behind a gap"));
    assertTrue(replica.hadGap());
    assertNull(value("k"));
    replicated(1, remote(0, 2, 8, "k", "first"), remote(2, 5, 9, "k", "second"));
    assertFalse(replica.hadGap());
    replicated(1, remote(0, 2, 8, "k", "first"));
    assertEquals("second", value("k"));
    assertEquals(position(5), replica.stable(1));
  }

  @Test
  void aWriteThatIsTriedAgainHasItsFirstOutcome() {
    Outcome first = write(1, 10, "k", "one");
    assertEquals(first, write(1, 12, "k", "one"));
    assertFalse(replica.hadEffect(index));
    assertEquals(position(2), replica.stable(0), "its place in the log counts");
    write(3, 13, "k", "three");
    assertEquals(Outcome.Result.FORGOTTEN, write(1, 14, "k", "one").result());
    assertEquals("three", value("k"));
  }

  /** What is known of a write may be forgotten once the write is refused. */
  @Test
  void aWriteThatHasExpiredHasNoEffect() {
    write(1, 10, "k", "one");
    write(new WriteId(2, 1, 1), EXPIRES + 1, null, "k", "late");
    assertEquals("one", value("k"));
    assertEquals(0, replica.writers(), "what came of the first is forgotten");
    assertEquals(Outcome.Result.EXPIRED, write(1, EXPIRES + 2, "k", "again").result());
    assertEquals("one", value("k"));

    replica = replica(GeoRule.without(GeoRule.EXPIRED_IS_REFUSED));
    index = 0;
    write(1, 10, "k", "one");
    write(new WriteId(2, 1, 1), EXPIRES + 1, null, "k", "other");
    write(1, EXPIRES + 2, "k", "one again");
    assertEquals("one again", value("k"), "without it a write takes effect twice");
  }

  @Test
  void conditionsAreLookedAtInTheOrderOfTheLog() {
    Outcome absent = write(new WriteId(1, 1, 1), 10, Condition.ABSENT, "k", "one");
    assertEquals(Outcome.Result.DONE, absent.result());
    Outcome second = write(new WriteId(2, 1, 1), 11, Condition.ABSENT, "k", "two");
    assertEquals(Outcome.Result.CONDITION_FAILED, second.result());
    assertEquals(absent.version(), second.version(), "it tells what is there");
    Condition is = Condition.is(absent.version());
    assertEquals(Outcome.Result.DONE, write(new WriteId(2, 2, 2), 12, is, "k", null).result());
    assertNull(value("k"));
    assertEquals(
        Outcome.Result.DONE,
        write(new WriteId(2, 3, 3), 13, Condition.ABSENT, "k", "three").result(),
        "a key that is deleted is absent");
  }

  @Test
  void deletionsStayUntilTheyAreKnownEverywhere() {
    write(1, 10, "k", null);
    assertEquals(1, replica.deletions());
    replicated(1, remote(0, 1, 9, "k", "earlier"));
    assertNull(value("k"));
    replica.apply(++index, new Command.Purge(PositionVector.of(position(1))));
    assertEquals(0, replica.keys());
  }

  @Test
  void theVectorMovesWhenAllOfAStateIsHere() {
    MergeStream stream = new MergeStream(1, 5, 77);
    PositionVector vector = PositionVector.of(0, position(9), position(4));
    StoredVersion one = new StoredVersion(bytes("a"), bytes("1"), new Version(9, 2, position(4)));
    StoredVersion two = new StoredVersion(bytes("b"), bytes("2"), new Version(8, 1, position(9)));
    Command.Merged first = new Command.Merged(stream, 0, false, vector, 0, List.of(one));
    Command.Merged last = new Command.Merged(stream, 1, true, vector, 0, List.of(two));

    replica.apply(++index, last);
    assertEquals(0, replica.parts(stream), "parts come in their order");
    replica.apply(++index, first);
    assertEquals("1", value("a"));
    assertEquals(PositionVector.NONE, replica.stable());
    replica.apply(++index, last);
    assertEquals(vector, replica.stable());
    assertEquals(2, replica.parts(stream));

    replica = replica(GeoRule.without(GeoRule.VECTOR_AFTER_STATE));
    replica.apply(1, first);
    assertEquals(vector, replica.stable());
    assertNull(value("b"), "without it the vector says that more is here than is");
  }

  /** A deletion that all have forgotten must not be followed by what it won over. */
  @Test
  void aStateBringsNothingBackThatIsUpToTheVector() {
    replicated(1, remote(0, 1, 5, "k", "old"), remote(1, 2, 6, "k", null));
    replica.apply(++index, new Command.Purge(PositionVector.of(0, position(2))));
    StoredVersion old = new StoredVersion(bytes("k"), bytes("old"), new Version(5, 1, position(1)));
    MergeStream stream = new MergeStream(2, 8, 1);
    PositionVector vector = PositionVector.of(0, position(1));
    replica.apply(++index, new Command.Merged(stream, 0, true, vector, 0, List.of(old)));
    assertNull(value("k"));
  }

  @Test
  void aLogThatWasBuiltAgainIsAheadOfTheOneBefore() {
    Requirement ofEpochOne = Requirement.of(PositionVector.of(0, Positions.of(1, 1_000)));
    RemoteWrite ofEpochTwo = new RemoteWrite(0, Positions.of(2, 1), 9, bytes("k"), bytes("v"));
    replica.apply(1, new Command.Replicated(1, List.of(ofEpochTwo)));
    assertTrue(replica.meets(ofEpochOne, 2));

    replica = replica(GeoRule.without(GeoRule.EPOCH_BEFORE_INDEX));
    replica.apply(1, new Command.Replicated(1, List.of(ofEpochTwo)));
    assertFalse(replica.meets(ofEpochOne, 2), "without it a session waits for ever");
  }

  @Test
  void aFloorWaitsForTheSafeTimesOfAll() {
    Requirement floor = new Requirement(PositionVector.NONE, 20, 0);
    replica.safe(0, Positions.NONE, 30);
    replica.safe(1, position(3), 25);
    assertEquals(1, replica.missing(floor, 2), "the writes up to its position are not here");
    replicated(1, remote(0, 3, 9, "k", "v"));
    assertEquals(25, replica.safeTime(1));
    assertTrue(replica.meets(floor, 2));
  }

  @Test
  void aSnapshotIsTheStateAsOfOneEntry() {
    for (int i = 0; i < 40; i++) {
      write(i + 1, 10 + i, "k" + i, "v" + i);
    }
    Snapshot snapshot = replica.snapshot();
    Encoder all = new Encoder();
    all.putRaw(snapshot.next(100));
    for (int i = 0; i < 40; i++) {
      write(41 + i, 60 + i, "k" + i, i % 2 == 0 ? null : "new");
    }
    write(100, 200, "more", "new");
    all.putRaw(all(snapshot));

    Replica other = replica(GeoRule.all());
    other.restore(all.toBytes());
    assertEquals(40, other.applied());
    assertEquals(40, other.keys());
    for (int i = 0; i < 40; i++) {
      assertArrayEquals(bytes("v" + i), other.get(bytes("k" + i)).value());
    }
    assertEquals(position(40), other.stable(0));
  }

  @Test
  void aSnapshotHasAllThatTheLogDecidesBy() {
    Outcome first = write(7, 10, "k", "one");
    Replica other = replica(GeoRule.all());
    other.restore(all(replica.snapshot()));
    LocalWrite again =
        new LocalWrite(new WriteId(1, 7, 7), EXPIRES, 20, null, bytes("k"), bytes("one"));
    assertEquals(first, other.apply(2, new Command.Local(again)));
    assertEquals(replica.digest(), other.digest());
  }

  @Test
  void aSnapshotOfAnotherGroupIsRefused() {
    Set<GeoRule> rules = GeoRule.all();
    Replica other =
        new Replica(1, EPOCH, rules, new HybridClock(rules), new DirectMemory(() -> {}));
    MalformedPacketException refused =
        assertThrows(MalformedPacketException.class, () -> other.restore(all(replica.snapshot())));
    assertTrue(refused.getMessage().contains("datacenter 0"), refused.getMessage());
  }
}
