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
package org.orcagrid.simulator.ddp;

import org.orcagrid.ddp.replica.Operation;

/**
 * An operation that has ended, or never will.
 *
 * @param client whose
 * @param kind what
 * @param key the key's number, -1 if it is about none
 * @param clock the version that was read or written; 0 for none
 * @param transaction the number of the transaction that it belongs to, -1 for none
 * @param scope the number of the scope, -1 for none
 * @param beganNanos when it was asked
 * @param endedNanos when it was answered; the greatest there is if it never was
 * @param status what came of it; open if nobody knows
 */
record DdpEvent(
    int client,
    Operation.Kind kind,
    int key,
    long clock,
    int transaction,
    int scope,
    long beganNanos,
    long endedNanos,
    Operation.Status status) {
  static final long NEVER = Long.MAX_VALUE;

  boolean isDone() {
    return status == Operation.Status.DONE;
  }
}
