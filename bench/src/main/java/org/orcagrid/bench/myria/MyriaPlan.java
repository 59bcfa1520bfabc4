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
package org.orcagrid.bench.myria;

import java.util.List;

/**
 * What is measured.
 *
 * @param loads whose highest rates are looked for, each with and without tracking
 * @param atShare of its highest rate at which the last load is looked at closely; 0 for not at all
 * @param curve rates, as shares of the highest, at which latencies are taken
 * @param seconds that count in each run
 * @param steps of halving when the highest rate is looked for
 */
public record MyriaPlan(
    List<Load> loads, double atShare, List<Double> curve, double seconds, int steps) {
  /** Operations per second that the paper's stores did some 80 % of. */
  public static final double PAPERS_RATE = 2_500;

  /** How long databases are busy: as {@code build/mixed-real.sh} has it, on two processors. */
  public static final Busy BUSY = new Busy(2, 200, 400, 250, 1_300);
}
