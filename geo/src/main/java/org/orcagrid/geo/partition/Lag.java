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
package org.orcagrid.geo.partition;

/**
 * What a replica lacks.
 *
 * @param datacenter whose writes
 * @param entries of that datacenter's log, about; 0 if only their time is not known to be over
 * @param ageMillis all writes of the datacenter that are older than this are here
 */
public record Lag(int datacenter, long entries, long ageMillis) {
  /** Nothing. */
  public static final Lag NONE = new Lag(-1, 0, 0);
}
