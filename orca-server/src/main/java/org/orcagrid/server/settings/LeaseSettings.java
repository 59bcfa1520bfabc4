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
package org.orcagrid.server.settings;

import org.orcagrid.cad.LeaseTimes;

/**
 * How the servers that may answer reads are chosen and watched over; used with {@code
 * orca.readers=active-set}, and the leader's own lease with {@code leader} as well.
 *
 * @param times heartbeat, mark-out and removal
 * @param size how many servers may be in the active set
 * @param slowNanos how long a reply waits for a member that is connected before that is marked out
 * @param holdNanos how long a server outside the active set holds a read that its leader does not
 *     confirm, before it closes the connection
 * @param linearizable whether each read is confirmed by the leader, whoever answers it
 */
public record LeaseSettings(
    LeaseTimes times, Size size, long slowNanos, long holdNanos, boolean linearizable) {

  /** How many servers may be in the active set, the leader included. */
  public sealed interface Size {

    /** The number in an ensemble of {@code voters}. */
    int of(int voters);

    /** Every voter. */
    record All() implements Size {
      @Override
      public int of(int voters) {
        return voters;
      }

      @Override
      public String toString() {
        return "all";
      }
    }

    /** As many as a majority has. */
    record Majority() implements Size {
      @Override
      public int of(int voters) {
        return voters / 2 + 1;
      }

      @Override
      public String toString() {
        return "majority";
      }
    }

    /** This many, but at least a majority. */
    record Fixed(int count) implements Size {
      @Override
      public int of(int voters) {
        return Math.max(count, new Majority().of(voters));
      }

      @Override
      public String toString() {
        return Integer.toString(count);
      }
    }
  }
}
