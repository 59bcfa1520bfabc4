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
package org.orcagrid.bench.geo;

import java.util.List;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.workload.Workload;

/**
 * What is measured in three regions with a server each.
 *
 * @param systems one after the other
 * @param workloads of every client
 * @param nearMs milliseconds one way between a client and the server of its region
 * @param farMs milliseconds one way between two regions
 * @param clientsPerRegion how many there are near each server
 * @param rounds how often all of it is measured
 * @param seconds of each measurement
 */
public record GeoPlan(
    List<SystemSpec> systems,
    List<Workload> workloads,
    double nearMs,
    double farMs,
    int clientsPerRegion,
    int rounds,
    double seconds) {

  /** Keeps copies. */
  public GeoPlan {
    systems = List.copyOf(systems);
    workloads = List.copyOf(workloads);
  }
}
