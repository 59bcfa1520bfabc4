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
package org.orcagrid.client.concurrent;

import java.util.function.Predicate;
import java.util.function.Supplier;
import org.orcagrid.ddp.model.Persistency;

/**
 * What becomes of writes that have completed.
 *
 * @param keepsAll whether they survive that all nodes lose power
 * @param readingKeeps whether they may be lost until they are read
 */
record Kept(boolean keepsAll, boolean readingKeeps) {
  /** They are never lost, unless all is. */
  static final Kept ALWAYS = new Kept(true, false);

  /** As a map's persistency has it. */
  static Kept of(Persistency persistency) {
    boolean readingKeeps = persistency == Persistency.READ_ENFORCED;
    return new Kept(
        !readingKeeps && persistency != Persistency.EVENTUAL && persistency.isOnMedium(),
        readingKeeps);
  }

  /** Whether what was just written is never lost, or has become so by this read. */
  <V> boolean isKept(Supplier<V> read, Predicate<V> written) {
    if (!readingKeeps) {
      return true;
    }
    V present = read.get();
    return present != null && written.test(present);
  }
}
