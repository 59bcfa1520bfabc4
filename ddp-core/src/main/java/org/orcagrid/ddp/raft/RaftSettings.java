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
package org.orcagrid.ddp.raft;

/**
 * What a node of a group knows from the beginning.
 *
 * @param self this node's number
 * @param electionNanos how long a follower waits for its leader at least, before it stands for
 *     election; at most twice that
 * @param beatNanos how often a leader is heard
 * @param batchBytesMax bytes of the entries in a message at most, but for a single longer one
 * @param messagesMax messages under way to a follower
 * @param backlogMax entries that are not committed yet; more are refused
 */
public record RaftSettings(
    int self,
    long electionNanos,
    long beatNanos,
    int batchBytesMax,
    int messagesMax,
    int backlogMax) {
  /** Refuses settings with which a group could not work. */
  public RaftSettings {
    if (beatNanos < 1 || electionNanos < 3 * beatNanos) {
      throw new IllegalArgumentException(
          "An election time-out is at least three beats, not "
              + electionNanos
              + " ns with beats of "
              + beatNanos
              + " ns");
    }
    if (batchBytesMax < 1 || messagesMax < 1 || backlogMax < 1) {
      throw new IllegalArgumentException(
          "A message has at least 1 byte, and 1 message and 1 entry are under way at least");
    }
  }
}
