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
package org.orcagrid.ddp.replica.wire;

import java.util.Arrays;

/** Messages by their numbers: a queue whose places grow to the most that it ever had. */
final class MessageRing {
  private static final int PLACES_AT_FIRST = 16;

  private ReplicaMessage[] places = new ReplicaMessage[PLACES_AT_FIRST];

  /** The number of the first message, and of the one behind the last. */
  private long first;

  private long end;

  /** Forgets all; numbers begin with 0 again. */
  void clear() {
    Arrays.fill(places, null);
    first = 0;
    end = 0;
  }

  int size() {
    return (int) (end - first);
  }

  long first() {
    return first;
  }

  long end() {
    return end;
  }

  void add(ReplicaMessage message) {
    if (size() == places.length) {
      grow();
    }
    places[place(end++)] = message;
  }

  private void grow() {
    ReplicaMessage[] before = places;
    places = new ReplicaMessage[2 * before.length];
    for (long number = first; number < end; number++) {
      places[place(number)] = before[(int) (number & (before.length - 1))];
    }
  }

  private int place(long number) {
    return (int) (number & (places.length - 1));
  }

  /** One that is there. */
  ReplicaMessage get(long number) {
    return places[place(number)];
  }

  /** Forgets the first one. */
  void removeFirst() {
    places[place(first++)] = null;
  }
}
