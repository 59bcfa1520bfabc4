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
package org.orcagrid.mixed.commit;

import org.orcagrid.mixed.plan.TransactionId;

/** What a store is asked to do. It may be asked again, and the first request may come later. */
public sealed interface Ask {
  /** Of which transaction. */
  TransactionId id();

  /** A store makes sure that it can commit its part, whatever happens to it. */
  record Prepare(TransactionId id, String store) implements Ask {}

  /**
   * The store that decides commits its part, and keeps the intent. It never does after it has
   * answered {@link Answer#CONFLICT} or {@link Answer#NEVER}. It answers {@link Answer#FORGOTTEN}
   * where it does not know any more whether it has.
   */
  record Decide(TransactionId id, Intent intent) implements Ask {}

  /**
   * The store that decides tells whether it has. If not, it never will, and gives up what is open.
   */
  record Fence(TransactionId id) implements Ask {}

  /** A store commits what it has prepared. */
  record CommitPrepared(TransactionId id, String store) implements Ask {}

  /** A store gives up what it has prepared, if it has, and does not prepare it later. */
  record AbortPrepared(TransactionId id, String store) implements Ask {}

  /**
   * A group commits a part, and the transaction's id with it, unless it has that id already.
   *
   * @param attempt from 0; who asks waits longer before each
   */
  record Apply(TransactionId id, Part part, int attempt) implements Ask {}

  /** The store that decides forgets the intent, but not that it has decided. */
  record Close(TransactionId id) implements Ask {}
}
