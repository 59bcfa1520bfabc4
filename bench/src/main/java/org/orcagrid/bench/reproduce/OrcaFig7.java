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
package org.orcagrid.bench.reproduce;

import java.util.List;

/** Figure 7: ORCA beside strong-ZK and weak-ZK, (a) reads only and (b) under YCSB. */
public record OrcaFig7() implements Reproduction {
  @Override
  public String id() {
    return "orca-fig7";
  }

  @Override
  public String title() {
    return "ORCA, Figure 7: strong-ZK, weak-ZK and ORCA, reads only and under YCSB";
  }

  /** Returns the two halves, which are measured one after the other. */
  public List<ExperimentReproduction> parts() {
    return List.of(new OrcaFig7ReadOnly(), new OrcaFig7Ycsb());
  }
}
