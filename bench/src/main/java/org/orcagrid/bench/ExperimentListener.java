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
package org.orcagrid.bench;

/** Told how an experiment is going, on the thread that runs it. */
public interface ExperimentListener {

  /** The ensembles for one added delay are being started. */
  void starting(double fsyncDelayMs);

  /**
   * A freshly started system is under load that is not measured.
   *
   * @param cell which load
   * @param share how much of it is over, from 0 to 1
   * @param requestsPerSecond requests answered per second just now
   */
  void heating(Cell cell, double share, double requestsPerSecond);

  /**
   * A cell is under load.
   *
   * @param cell which
   * @param round from 1
   * @param share how much of it is over, from 0 to 1
   * @param requestsPerSecond requests answered per second just now
   */
  void progress(Cell cell, int round, double share, double requestsPerSecond);

  /** A cell has been measured. */
  void measured(Measurement measurement);
}
