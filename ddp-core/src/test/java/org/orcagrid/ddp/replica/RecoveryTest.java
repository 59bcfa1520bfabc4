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

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a log says. */
class RecoveryTest {
  private static final Key KEY = Key.of("a");
  private static final Key OTHER = Key.of("b");

  private static Write write(Key key, long clock) {
    return new Write(key, clock, new byte[] {(byte) clock});
  }

  private static List<Write> latest(boolean adopting, LogRecord... log) {
    return List.copyOf(Recovery.latest(List.of(log), adopting));
  }

  @Test
  void theLatestVersionCountsWhateverTheOrder() {
    Write later = write(KEY, 5);
    assertEquals(
        List.of(later),
        latest(false, new LogRecord.Version(later), new LogRecord.Version(write(KEY, 3))));
  }

  @Test
  void aBatchCountsAndWhatHasNotEndedDoesNot() {
    Write one = write(KEY, 5);
    Write two = write(OTHER, 6);
    assertEquals(
        List.of(one, two),
        latest(
            false,
            new LogRecord.Begun(1),
            new LogRecord.Tentative(1, write(KEY, 9)),
            new LogRecord.Batch(List.of(one, two))));
  }

  @Test
  void whatWasBeforeAnAdoptionDoesNotCountOnceThatIsWhole() {
    Write before = write(KEY, 9);
    Write adopted = write(KEY, 5);
    LogRecord begin = new LogRecord.AdoptionBegin(4);
    assertEquals(
        List.of(before),
        latest(true, new LogRecord.Version(before), begin, new LogRecord.Version(adopted)));
    assertEquals(
        List.of(adopted),
        latest(
            true,
            new LogRecord.Version(before),
            begin,
            new LogRecord.Version(adopted),
            new LogRecord.AdoptionEnd(4)));
    assertEquals(
        List.of(before),
        latest(
            false,
            new LogRecord.Version(before),
            begin,
            new LogRecord.Version(adopted),
            new LogRecord.AdoptionEnd(4)));
  }
}
