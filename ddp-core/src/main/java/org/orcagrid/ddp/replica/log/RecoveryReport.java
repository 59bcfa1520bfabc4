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
package org.orcagrid.ddp.replica.log;

/**
 * How a node's copy of a map came back: what its log had, and what became of it.
 *
 * @param found versions that were in the log, of each key the latest; removals are versions, too
 * @param lacked later versions, and versions of other keys, that this node had from other nodes
 * @param withdrawn values of the log that do not count: they had never completed, or their keys
 *     were removed meanwhile
 * @param together whether no node had served on, so that all told each other what their logs had;
 *     otherwise this node had what it lacked from one that had
 * @param reachedMillis a moment, by this machine's clock then, in milliseconds since 1970: what
 *     this node had handed to its log by then was in it; of what was handed over later some may be;
 *     0 if it is not known
 * @param closed whether the node was closed in order: all that it had handed to its log was in it
 */
public record RecoveryReport(
    long found, long lacked, long withdrawn, boolean together, long reachedMillis, boolean closed) {

  /** Whether there was anything to come back from, or to. */
  public boolean isOfAnything() {
    return found > 0 || lacked > 0;
  }

  /**
   * Whether something may have been lost, as far as the model allows it, or was withdrawn. What is
   * lost by choice, as a scope that was never persisted, is not meant.
   */
  public boolean isOfLoss() {
    return withdrawn > 0 || (!closed && isOfAnything());
  }
}
