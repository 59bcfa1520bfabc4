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
package org.orcagrid.mixed.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What earlier phases have found out, for later ones. */
final class Values {
  private final boolean byIteration;
  private final Map<Key, Found> all = new HashMap<>();

  private Found last;

  /** How often each place was visited in the present phase. */
  private final Map<Integer, Integer> visits = new HashMap<>();

  /** A value, or why there is none. */
  private record Found(Object value, RuntimeException failure) {
    Object orThrow() {
      if (failure != null) {
        throw failure;
      }
      return value;
    }
  }

  /** A place and the iterations of the loops around it. */
  private record Key(int tag, List<Integer> iterations) {}

  Values(boolean byIteration) {
    this.byIteration = byIteration;
  }

  void beginPhase() {
    visits.clear();
  }

  private Key key(Site site, int[] iterations) {
    if (!byIteration) {
      return new Key(site.tag(), List.of(visits.merge(site.tag(), 1, Integer::sum)));
    }
    return new Key(site.tag(), site.loops().stream().map(loop -> iterations[loop]).toList());
  }

  void put(Site site, int[] iterations, Object value) {
    last = new Found(value, null);
    all.put(key(site, iterations), last);
  }

  void fail(Site site, int[] iterations, RuntimeException failure) {
    last = new Found(null, failure);
    all.put(key(site, iterations), last);
  }

  /** What was put last; throws it if it was a failure. */
  Object last() {
    return last.orThrow();
  }

  /** What was found there; throws what was thrown there. */
  Object get(Site site, int[] iterations) {
    Found found = all.get(key(site, iterations));
    if (found == null) {
      throw new IllegalStateException("An earlier phase has left out " + site.term());
    }
    return found.orThrow();
  }
}
