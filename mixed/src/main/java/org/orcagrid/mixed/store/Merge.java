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
package org.orcagrid.mixed.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Makes one value of two that were written without knowing of each other. All replicas have to come
 * to the same, in whatever order and however often: it is commutative, associative and idempotent.
 */
@FunctionalInterface
public interface Merge {
  /** One value of two; neither is null. */
  Object merge(Object one, Object other);

  /**
   * Sets and maps are united, lists too, the smaller text first; of numbers and texts the greater
   * one is taken. It does not add: two increments of one number are one.
   */
  static Merge standard() {
    return Merge::united;
  }

  private static Object united(Object one, Object other) {
    if (Objects.equals(one, other)) {
      return one;
    }
    if (one instanceof Set<?> mine && other instanceof Set<?> its) {
      return sorted(mine, its, new LinkedHashSet<>());
    } else if (one instanceof List<?> mine && other instanceof List<?> its) {
      return new ArrayList<>(sorted(mine, its, new LinkedHashSet<>()));
    } else if (one instanceof Map<?, ?> mine && other instanceof Map<?, ?> its) {
      Map<Object, Object> all = new LinkedHashMap<>(mine);
      its.forEach((key, value) -> all.put(key, unitedOrOther(all.get(key), value)));
      return all;
    } else if (one instanceof Number mine && other instanceof Number its) {
      int order = Double.compare(mine.doubleValue(), its.doubleValue());
      return order == 0 ? greater(one, other) : order > 0 ? one : other;
    }
    if (one instanceof byte[] mine && other instanceof byte[] its) {
      return Arrays.compare(mine, its) >= 0 ? one : other;
    }
    return greater(one, other);
  }

  private static Object unitedOrOther(Object one, Object other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return united(one, other);
  }

  private static Object greater(Object one, Object other) {
    return one.toString().compareTo(other.toString()) >= 0 ? one : other;
  }

  private static Set<Object> sorted(Collection<?> one, Collection<?> other, Set<Object> into) {
    Set<Object> all = new LinkedHashSet<>(one);
    all.addAll(other);
    all.stream().sorted((a, b) -> a.toString().compareTo(b.toString())).forEach(into::add);
    return into;
  }
}
