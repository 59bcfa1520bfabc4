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
package org.orcagrid.mixed.run;

import org.orcagrid.mixed.plan.TransactionId;

/**
 * A transaction may be committed or not: the store that decides has not answered in time. Ask again
 * with {@link MixedClient#isCommitted}.
 */
public final class OutcomeUnknownException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient TransactionId id;

  OutcomeUnknownException(TransactionId id) {
    super(
        "The store "
            + id.decider()
            + " has not answered in time whether "
            + id
            + " is committed; ask by that id");
    this.id = id;
  }

  /** The transaction's id. */
  public TransactionId id() {
    return id;
  }
}
