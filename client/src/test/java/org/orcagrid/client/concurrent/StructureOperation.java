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
package org.orcagrid.client.concurrent;

/**
 * What a client asked of a structure, and what came of it.
 *
 * @param client whose it is
 * @param kind what was asked
 * @param item what was put in or asked for; 0 for none
 * @param answer what was told: an item, a number, or 1 for yes; 0 for nothing or no
 * @param begin when it was asked
 * @param end when it was told; {@link #NEVER} if it never was
 */
record StructureOperation(int client, Kind kind, int item, int answer, long begin, long end) {
  static final long NEVER = Long.MAX_VALUE;

  /** What can be asked of a queue, a stack, a set or a counter. */
  enum Kind {
    OFFER,
    POLL,
    PUSH,
    POP,
    ADD,
    REMOVE,
    CONTAINS,
    COUNT
  }

  boolean ended() {
    return end != NEVER;
  }

  @Override
  public String toString() {
    return client
        + ": "
        + kind
        + (item == 0 ? "" : " " + item)
        + (ended() ? " -> " + answer + " [" + begin + ", " + end + "]" : " [" + begin + ", ...");
  }
}
