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
package org.orcagrid.upstream;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class KnownFailuresTest {
  private final KnownFailures known =
      KnownFailures.parse(
          List.of("orca-cad a.T#late it is late by design", "* a.Broken needs a file"));

  @Test
  void theListNamesMethods() {
    ClassResult readOnly =
        finished("org.apache.zookeeper.server.ZooKeeperServerMainTest", "testReadOnlySnapshotDir");

    assertTrue(KnownFailures.load().cover(Target.STOCK, readOnly));
  }

  @Test
  void aMethodIsKnownOnItsTargetOnly() {
    assertTrue(known.cover(Target.ORCA_CAD, finished("a.T", "late")));
    assertFalse(known.cover(Target.ORCA_SYNC, finished("a.T", "late")));
  }

  @Test
  void everyFailureOfAClassMustBeKnown() {
    assertFalse(known.cover(Target.ORCA_CAD, finished("a.T", "late", "other")));
  }

  @Test
  void aClassThatDoesNotEndMustBeKnownAsAWhole() {
    assertTrue(known.cover(Target.STOCK, timedOut("a.Broken")));
    assertFalse(known.cover(Target.ORCA_CAD, timedOut("a.T")));
  }

  private static ClassResult finished(String testClass, String... failures) {
    return new ClassResult(
        testClass, ClassResult.Ending.FINISHED, 1, 0, List.of(failures), 1, true);
  }

  private static ClassResult timedOut(String testClass) {
    return new ClassResult(testClass, ClassResult.Ending.TIMED_OUT, 0, 0, List.of(), 300, true);
  }
}
