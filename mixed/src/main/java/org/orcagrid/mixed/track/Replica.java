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
package org.orcagrid.mixed.track;

import org.orcagrid.mixed.plan.TransactionId;

/** A client's replica of a store, as it is at one moment. */
public interface Replica {
  /** What it has of each group: all writes up to a count, and all that came before these. */
  VectorClock clock();

  /** What it has of an object; null for nothing. */
  Version read(Object key);

  /** Two versions that know nothing of each other, as one. */
  Version merge(Version one, Version other);

  /**
   * The clock of a transaction's part; null if it is not there, or was not looked for. Of a
   * forgotten transaction it is {@link VectorClock#NONE}, since its part is everywhere.
   */
  VectorClock marker(TransactionId id);
}
