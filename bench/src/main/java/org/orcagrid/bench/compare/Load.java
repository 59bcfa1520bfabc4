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
package org.orcagrid.bench.compare;

import org.orcagrid.bench.compare.process.Manner;
import org.orcagrid.bench.report.Numbers;

/**
 * What clients do in a turn.
 *
 * @param manner how they make their operations
 * @param writePercent how many of these write
 */
public record Load(Manner manner, double writePercent) {
  /** The heading of its column. */
  String title() {
    return Numbers.setting(writePercent) + " % writes, " + manner.id().replace('-', ' ');
  }
}
