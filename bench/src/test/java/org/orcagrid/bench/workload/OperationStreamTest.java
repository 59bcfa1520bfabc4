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
package org.orcagrid.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OperationStreamTest {
  private static final int DRAWS = 100_000;
  private static final int RECORDS = 1_000;
  private static final long SEED = 42;

  @ParameterizedTest
  @CsvSource({
    "W, 0, 100, 0, 0",
    "A, 50, 50, 0, 0",
    "B, 95, 5, 0, 0",
    "C, 100, 0, 0, 0",
    "D, 95, 0, 5, 0",
    "F, 50, 0, 0, 50"
  })
  void convergesToTheMixOfThePaper(
      Workload workload, double read, double update, double insert, double readModifyWrite) {
    Map<OperationKind, Integer> counts = new EnumMap<>(OperationKind.class);
    OperationStream stream = new OperationStream(workload, new RecordKeys(RECORDS), SEED);
    for (int i = 0; i < DRAWS; i++) {
      counts.merge(stream.next().kind(), 1, Integer::sum);
    }
    assertShare(read, counts, OperationKind.READ);
    assertShare(update, counts, OperationKind.UPDATE);
    assertShare(insert, counts, OperationKind.INSERT);
    assertShare(readModifyWrite, counts, OperationKind.READ_MODIFY_WRITE);
  }

  private static void assertShare(
      double percent, Map<OperationKind, Integer> counts, OperationKind kind) {
    assertEquals(percent, 100.0 * counts.getOrDefault(kind, 0) / DRAWS, 0.6, kind.label());
  }

  @Test
  void ordersTheKindsByTheSeed() {
    OperationStream first = new OperationStream(Workload.A, new RecordKeys(RECORDS), SEED);
    OperationStream second = new OperationStream(Workload.A, new RecordKeys(RECORDS), SEED);
    for (int i = 0; i < 1_000; i++) {
      assertEquals(first.next().kind(), second.next().kind());
    }
  }

  @Test
  void countsTwoThirdsOfTheRequestsOfWorkloadFAsReads() {
    assertEquals(2.0 / 3, Workload.F.readShareOfRequests(), 1e-9);
    assertEquals(0.95, Workload.D.readShareOfRequests(), 1e-9);
  }

  @Test
  void touchesSomeRecordsMuchMoreOftenThanOthersUnderZipf() {
    Map<Long, Integer> counts = new HashMap<>();
    OperationStream stream = new OperationStream(Workload.C, new RecordKeys(RECORDS), SEED);
    for (int i = 0; i < DRAWS; i++) {
      counts.merge(stream.next().key(), 1, Integer::sum);
    }
    assertTrue(counts.keySet().stream().allMatch(key -> key >= 0 && key < RECORDS));
    int mostPopular = counts.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    assertTrue(mostPopular > 20 * DRAWS / RECORDS, "most popular: " + mostPopular);
  }

  @Test
  void readsMostlyWhatWasInsertedLast() {
    OperationStream stream = new OperationStream(Workload.D, new RecordKeys(RECORDS), SEED);
    long recent =
        Stream.generate(stream::next)
            .filter(operation -> operation.kind() == OperationKind.READ)
            .limit(DRAWS)
            .filter(operation -> operation.key() >= RECORDS - 100)
            .count();
    assertTrue(recent > DRAWS / 2, "of the newest tenth: " + recent);
  }

  @Test
  void readsAnInsertedRecordOnlyOnceItIsAcknowledged() {
    RecordKeys keys = new RecordKeys(RECORDS);
    OperationStream stream = new OperationStream(Workload.D, keys, SEED);
    Set<Long> inserted = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      Operation operation = stream.next();
      if (operation.kind() == OperationKind.INSERT) {
        assertTrue(inserted.add(operation.key()), "inserted twice: " + operation.key());
      } else {
        assertTrue(operation.key() < RECORDS, "read before acknowledged: " + operation.key());
      }
    }
    inserted.stream().sorted().forEach(keys::acknowledge);
    boolean newOnesAreRead =
        Stream.generate(stream::next)
            .limit(1_000)
            .anyMatch(o -> o.kind() == OperationKind.READ && o.key() >= RECORDS);
    assertTrue(newOnesAreRead);
  }

  @Test
  void namesTheChoicesWhenAWorkloadIsUnknown() {
    assertEquals(Workload.B, Workload.named(" b"));
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> Workload.named("E"));
    assertTrue(refusal.getMessage().contains("W, A, B, C, D and F"), refusal.getMessage());
  }
}
