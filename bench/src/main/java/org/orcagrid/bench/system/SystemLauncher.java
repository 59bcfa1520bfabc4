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
package org.orcagrid.bench.system;

import java.io.IOException;
import org.orcagrid.bench.ExperimentPlan;

/** Starts ensembles; tests put their own in its place. */
@FunctionalInterface
public interface SystemLauncher {

  /**
   * Starts the servers of a system and returns without waiting for them.
   *
   * @param spec which system
   * @param servers how many servers, and how far apart
   * @param fsyncDelayMs milliseconds added to each fsync, 0 for none
   * @throws IOException if a process cannot be started
   */
  SystemUnderTest launch(SystemSpec spec, ExperimentPlan.Servers servers, double fsyncDelayMs)
      throws IOException;
}
