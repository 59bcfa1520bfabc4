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

import java.util.Arrays;
import java.util.SplittableRandom;

/** Which of the records a request is about; a draw is a number from 0 on. */
public enum KeyChoice {
  /** All alike. */
  UNIFORM {
    @Override
    Draw over(int records) {
      return random -> random.nextInt(records);
    }
  },
  /** Zipf's law with YCSB's constant over the records there are: one of 1000 gets 13 %. */
  ZIPFIAN {
    @Override
    Draw over(int records) {
      double[] upTo = new double[records];
      double sum = 0;
      for (int record = 0; record < records; record++) {
        sum += StrictMath.pow(record + 1, -ZIPFIAN_CONSTANT);
        upTo[record] = sum;
      }
      double all = sum;
      return random -> {
        int found = Arrays.binarySearch(upTo, random.nextDouble() * all);
        return Math.min(found < 0 ? -found - 1 : found, records - 1);
      };
    }
  },
  /**
   * What YCSB's core workloads draw: the ranks of ten thousand million items under Zipf's law,
   * hashed onto the records. The most popular one gets 3.8 %, and the tail falls on all alike.
   */
  SCRAMBLED_ZIPFIAN {
    @Override
    Draw over(int records) {
      return random -> (int) (hash(rank(random.nextDouble())) % records);
    }
  };

  private static final double ZIPFIAN_CONSTANT = 0.99;
  private static final long ITEMS = 10_000_000_000L;

  /** The sum of the weights of all items, as YCSB has it. */
  private static final double ZETA_OF_ITEMS = 26.46902820178302;

  private static final double ZETA_OF_TWO = 1 + StrictMath.pow(0.5, ZIPFIAN_CONSTANT);
  private static final double ALPHA = 1 / (1 - ZIPFIAN_CONSTANT);
  private static final double ETA =
      (1 - StrictMath.pow(2.0 / ITEMS, 1 - ZIPFIAN_CONSTANT)) / (1 - ZETA_OF_TWO / ZETA_OF_ITEMS);
  private static final long FNV_OFFSET = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 1099511628211L;

  /** Draws records. */
  interface Draw {
    int next(SplittableRandom random);
  }

  /** What draws from so many records. */
  abstract Draw over(int records);

  private static long rank(double draw) {
    double weight = draw * ZETA_OF_ITEMS;
    if (weight < 1) {
      return 0;
    }
    if (weight < ZETA_OF_TWO) {
      return 1;
    }
    return (long) (ITEMS * StrictMath.pow(ETA * draw - ETA + 1, ALPHA));
  }

  /** FNV of the rank's eight bytes, without a sign. */
  private static long hash(long rank) {
    long hash = FNV_OFFSET;
    long left = rank;
    for (int i = 0; i < Long.BYTES; i++) {
      hash = (hash ^ (left & 0xff)) * FNV_PRIME;
      left >>= Byte.SIZE;
    }
    return Math.abs(hash);
  }
}
