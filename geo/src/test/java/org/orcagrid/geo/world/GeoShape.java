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
package org.orcagrid.geo.world;

/**
 * How large a world is, and what happens in it.
 *
 * @param datacenters how many
 * @param replicas nodes of each, and replicas of each partition there
 * @param partitions how many
 * @param clients sessions
 * @param faultsMillis how long everything may fail
 * @param finishMillis how long it may then take until all is well
 */
public record GeoShape(
    int datacenters,
    int replicas,
    int partitions,
    int clients,
    long faultsMillis,
    long finishMillis) {
  /** What thousands of seeds are played with. */
  public static final GeoShape SMALL = new GeoShape(3, 3, 1, 6, 6_000, 9_000);

  /** The same with so many partitions, and half as many sessions. */
  public static GeoShape of(int partitions) {
    return new GeoShape(3, 3, partitions, Math.max(6, partitions / 2), 6_000, 9_000);
  }

  int nodes() {
    return datacenters * replicas;
  }
}
