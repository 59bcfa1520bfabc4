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
package org.orcagrid.bench.myria.real;

/**
 * What is measured by turns, mixed and with JDBC.
 *
 * @param title of the row
 * @param strongPercent of operations at the linearizable store; less than 0 for posts to both
 * @param threads of clients
 */
public record RealLoad(String title, int strongPercent, int writePercent, Away away, int threads) {
  /**
   * How far stores are.
   *
   * @param strongMs there and back to the linearizable one
   * @param causalMs the same to the causal one
   */
  public record Away(double strongMs, double causalMs) {
    /** Not at all. */
    public static final Away NOT = new Away(0, 0);

    /** As in the paper. */
    public static final Away PAPER = new Away(85, 5);
  }

  /** Posts to both stores. */
  public static RealLoad posts(String title, Away away, int threads) {
    return new RealLoad(title, -1, 100, away, threads);
  }

  /** One of its operations. */
  Operation operation(int strong, int write) {
    return strongPercent < 0
        ? Operation.POST
        : Operation.of(strongPercent, writePercent, strong, write);
  }
}
