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
package org.orcagrid.mixed.store;

/** What a store can do for a transaction that has written to several. */
public enum Role {
  /**
   * It takes a part for good once others have decided, and does what is to be done to objects by
   * itself. It decides only where nobody stronger is written to.
   */
  FOLLOWS,
  /** It commits if what was read is still there, and keeps the intent with that. */
  DECIDES,
  /** It can promise to commit as well, so that another store decides. */
  PREPARES
}
