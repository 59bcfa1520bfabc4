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
package org.orcagrid.ddp.replica.state;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A set of records' addresses, which adds and removes without allocating. Open addressing: between
 * the place that an address names and its own no place is empty.
 */
final class Addresses {
  private static final int PLACES_AT_FIRST = 16;

  /** It has so many places at least once it needed them: it would grow again soon. */
  private static final int PLACES_KEPT = 1024;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** 0 for none. */
  private long[] places = new long[PLACES_AT_FIRST];

  private int size;

  int size() {
    return size;
  }

  boolean has(long address) {
    return address != 0 && places[placeOf(address)] == address;
  }

  void add(long address) {
    if (2 * (size + 1) > places.length) {
      resize(2 * places.length);
    }
    int place = placeOf(address);
    size += places[place] == address ? 0 : 1;
    places[place] = address;
  }

  /** Takes one out; those behind it that could not be found any more move up. */
  void remove(long address) {
    int place = placeOf(address);
    if (places[place] != address) {
      return;
    }
    int mask = places.length - 1;
    int empty = place;
    for (int next = (empty + 1) & mask; places[next] != 0; next = (next + 1) & mask) {
      boolean isFoundWithout = ((next - home(places[next])) & mask) < ((next - empty) & mask);
      if (!isFoundWithout) {
        places[empty] = places[next];
        empty = next;
      }
    }
    places[empty] = 0;
    size--;
    if (places.length > PLACES_KEPT && 16 * size < places.length) {
      resize(places.length / 4);
    }
  }

  void forEach(LongConsumer each) {
    for (long address : places) {
      if (address != 0) {
        each.accept(address);
      }
    }
  }

  private void resize(int to) {
    long[] before = places;
    places = new long[Math.max(PLACES_AT_FIRST, to)];
    for (long address : before) {
      if (address != 0) {
        places[placeOf(address)] = address;
      }
    }
  }

  /** The place of an address, or the empty one that it would get. */
  private int placeOf(long address) {
    int mask = places.length - 1;
    int place = home(address);
    while (places[place] != 0 && places[place] != address) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private int home(long address) {
    return (int) ((address * GOLDEN) >>> 32) & (places.length - 1);
  }

  @Override
  public String toString() {
    return Arrays.toString(places);
  }
}
