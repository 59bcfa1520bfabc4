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
package org.orcagrid.mixed.track;

import java.util.HashMap;
import java.util.Map;
import org.orcagrid.mixed.plan.StoredObject;

/**
 * What a version stands on outside its store, and is kept with it. It does not change.
 *
 * @param tombstones by the store that they are about
 * @param together what the same transaction has written to the store that decided it: who sees the
 *     one sees the other
 */
public record Context(Map<String, Tombstone> tombstones, Map<StoredObject, Stamp> together) {
  /** Nothing. */
  public static final Context NONE = new Context(Map.of(), Map.of());

  /**
   * Whoever reads was begun as long ago at most, whoever has written took as long, and clocks
   * differ by some seconds; after that nobody can have read what is older.
   */
  private static final long STAMP_MILLIS = 60_000;

  /** One whose maps do not change. */
  public Context {
    tombstones = Map.copyOf(tombstones);
    together = Map.copyOf(together);
  }

  /**
   * A version of a strong object.
   *
   * @param millis about when it was written
   */
  public record Stamp(long version, long millis) {
    Stamp newer(Stamp other) {
      return version >= other.version ? this : other;
    }
  }

  /** Whether it says nothing. */
  public boolean isEmpty() {
    return tombstones.isEmpty() && together.isEmpty();
  }

  /** What a value stands on that is made of two. */
  public Context join(Context other) {
    if (isEmpty() || other.isEmpty()) {
      return isEmpty() ? other : this;
    }
    Map<String, Tombstone> all = new HashMap<>(other.tombstones);
    tombstones.forEach((store, mine) -> all.merge(store, mine, (its, same) -> mine.join(its)));
    Map<StoredObject, Stamp> stamps = new HashMap<>(other.together);
    together.forEach((object, stamp) -> stamps.merge(object, stamp, Stamp::newer));
    long newest = stamps.values().stream().mapToLong(Stamp::millis).max().orElse(0);
    stamps.values().removeIf(each -> each.millis() < newest - STAMP_MILLIS);
    return new Context(all, stamps);
  }
}
