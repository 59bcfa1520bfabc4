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
package org.orcagrid.simulator.checker.znode;

import java.util.List;
import org.orcagrid.simulator.checker.Access;

/**
 * One request of a session and what came of it.
 *
 * @param session whose; each session of ZooKeeper has a number of its own
 * @param by at which server, and as what, for the message
 * @param steps the parts of a transaction or multi-read; otherwise one
 * @param beginNanos when it was asked
 * @param endNanos when it was answered; {@link Access#NEVER} if nobody knows what became of it
 * @param error the code of its failure, 0 for success
 * @param zxid up to which transaction the server had applied, its own one included
 * @param promise what was asked for beside the default
 */
public record ZnodeCall(
    int session,
    String by,
    List<ZnodeStep> steps,
    long beginNanos,
    long endNanos,
    int error,
    long zxid,
    Promise promise) {

  /** What a session, or a path, may ask for beyond what all have. */
  public enum Promise {
    /** Nothing. */
    DEFAULT,
    /** Reads show all that was acknowledged. */
    LINEARIZABLE_READ,
    /** Writes are durable when they are acknowledged. */
    IMMEDIATE_DURABILITY
  }

  /** Whether its answer is known. */
  public boolean ended() {
    return endNanos != Access.NEVER;
  }

  boolean writes() {
    return steps.stream().anyMatch(step -> step.kind().writes());
  }

  /** Whether it was executed and wrote. */
  boolean wrote() {
    return ended() && error == 0 && writes();
  }

  /** Whether it has a place of its own in the order: it wrote, or would have. */
  boolean isTransaction() {
    return ended() && writes();
  }

  @Override
  public String toString() {
    return "%s of session %d at %s, %d..%s, error %d, zxid %x"
        .formatted(
            steps, session, by, beginNanos, ended() ? String.valueOf(endNanos) : "?", error, zxid);
  }
}
