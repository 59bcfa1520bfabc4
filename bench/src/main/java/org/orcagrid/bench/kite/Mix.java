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
package org.orcagrid.bench.kite;

import java.util.SplittableRandom;
import org.orcagrid.ddp.kite.OperationKind;

/**
 * What share of the accesses is what (Kite, section 7.1): with 60 % writes, 50 % synchronization
 * and 50 % read-modify-writes, 50 % are read-modify-writes, 5 % writes, 5 % releases, 20 % reads
 * and 20 % acquires.
 *
 * @param writePercent accesses that write
 * @param syncPercent reads that are acquires, and writes that are releases
 * @param rmwPercent accesses that are read-modify-writes; all writes if there are fewer
 */
public record Mix(double writePercent, double syncPercent, double rmwPercent) {
  private static final double ALL = 100;

  /** Refuses shares that are none. */
  public Mix {
    for (double share : new double[] {writePercent, syncPercent, rmwPercent}) {
      if (!(share >= 0 && share <= ALL)) {
        throw new IllegalArgumentException("A share is 0 to 100 percent, not " + share);
      }
    }
  }

  /** The same with other writes. */
  Mix withWrites(double percent) {
    return new Mix(percent, syncPercent, rmwPercent);
  }

  /** Chooses an access. */
  OperationKind choose(SplittableRandom random) {
    double dice = random.nextDouble() * ALL;
    if (dice < Math.min(rmwPercent, writePercent)) {
      // It writes values of the same size as the others do, unlike an add.
      return OperationKind.GET_AND_SET;
    }
    boolean synchronizes = syncPercent > 0 && random.nextDouble() * ALL < syncPercent;
    if (dice < writePercent) {
      return synchronizes ? OperationKind.RELEASE : OperationKind.WRITE;
    }
    return synchronizes ? OperationKind.ACQUIRE : OperationKind.READ;
  }
}
