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
package org.orcagrid.simulator.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

final class TimedNvmTest {
  private static final NvmTiming TWO_BANKS =
      new NvmTiming(2, 400, 64, NvmTiming.Placement.IN_PLACE, true);

  /** The key is the place: one line each, so that neighbours are in different banks. */
  private static TimedNvm nvm(NvmTiming timing) {
    return new TimedNvm(
        timing, key -> Integer.parseInt(new String(key.bytes(), StandardCharsets.UTF_8)));
  }

  private static Write write(int place, int bytes) {
    return new Write(Key.of(Integer.toString(place)), 1, new byte[bytes]);
  }

  private static LogRecord version(int place) {
    return new LogRecord.Version(write(place, 10));
  }

  @Test
  void banksWriteSideBySideAndEachOneAfterTheOther() {
    TimedNvm nvm = nvm(TWO_BANKS);
    assertEquals(400, nvm.write(version(0), 0));
    assertEquals(400, nvm.write(version(1), 0));
    assertEquals(800, nvm.write(version(2), 0));
    assertEquals(1300, nvm.write(version(0), 900));
    assertEquals(4, nvm.lines());
  }

  @Test
  void aWriteJoinsOneThatWaitsButNotOneThatHasBegun() {
    TimedNvm nvm = nvm(TWO_BANKS);
    nvm.write(version(0), 0);
    assertEquals(800, nvm.write(version(0), 10));
    assertEquals(800, nvm.write(version(0), 20));
    assertEquals(2, nvm.lines());
    assertEquals(1200, nvm.write(version(0), 500));
    TimedNvm apart = nvm(TWO_BANKS.withoutCombining());
    apart.write(version(0), 0);
    apart.write(version(0), 10);
    assertEquals(1200, apart.write(version(0), 20));
  }

  @Test
  void whatSomebodyWaitsForIsDurableInOrder() {
    TimedNvm nvm = nvm(TWO_BANKS);
    assertEquals(400, nvm.persist(version(0), 0));
    assertEquals(800, nvm.persist(version(2), 0));
    assertEquals(800, nvm.persist(version(1), 0));
  }

  @Test
  void aLargeVersionTakesSeveralLines() {
    TimedNvm nvm = nvm(TWO_BANKS);
    assertEquals(800, nvm.write(new LogRecord.Version(write(0, 190)), 0));
    assertEquals(4, nvm.lines());
  }

  @Test
  void aBatchIsWrittenPlaceByPlace() {
    TimedNvm nvm = nvm(TWO_BANKS);
    LogRecord batch = new LogRecord.Batch(List.of(write(0, 10), write(2, 10), write(1, 10)));
    assertEquals(800, nvm.write(batch, 0));
    assertEquals(3, nvm.lines());
  }

  @Test
  void aLogGoesRoundAllBanks() {
    TimedNvm nvm = nvm(TWO_BANKS.with(NvmTiming.Placement.LOG));
    assertEquals(400, nvm.write(version(0), 0));
    assertEquals(400, nvm.write(version(0), 0));
    assertEquals(800, nvm.write(version(0), 0));
    assertEquals(800, nvm.write(new LogRecord.Begun(1), 0));
  }
}
