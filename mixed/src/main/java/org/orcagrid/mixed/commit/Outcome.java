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

import java.util.List;
import org.orcagrid.mixed.plan.TransactionId;

/** What has become of a transaction. */
public sealed interface Outcome {
  /** All of it is committed. */
  record Committed() implements Outcome {}

  /**
   * It is decided, and what is missing will be done by others.
   *
   * @param missing stores and groups that have not answered
   */
  record CommittedPending(List<String> missing) implements Outcome {}

  /**
   * Nothing of it is committed, and nothing ever will be.
   *
   * @param isConflict whether it is worth to begin anew
   */
  record Aborted(boolean isConflict) implements Outcome {}

  /**
   * It may be decided or not: the store that decides has not answered in time, or has forgotten.
   * Until it has, it can be asked by the id.
   */
  record Unknown(TransactionId id) implements Outcome {}
}
