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
package org.orcagrid.mixed.level;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What can be said of levels when a program runs, as its types say it when it is compiled. */
public final class Levels {
  private Levels() {}

  /** Whether a level promises all that another one does. */
  public static boolean isAtLeast(Class<? extends Level> level, Class<? extends Level> other) {
    return other.isAssignableFrom(level);
  }

  /**
   * The strongest level that both cover: the paper's minimum (section 3.4).
   *
   * @throws IllegalArgumentException if there is no such level, or more than one
   */
  public static Class<? extends Level> common(
      Class<? extends Level> one, Class<? extends Level> other) {
    Set<Class<? extends Level>> both = covered(one);
    both.retainAll(covered(other));
    List<Class<? extends Level>> strongest = new ArrayList<>();
    for (Class<? extends Level> each : both) {
      if (both.stream().noneMatch(more -> !more.equals(each) && isAtLeast(more, each))) {
        strongest.add(each);
      }
    }
    if (strongest.size() != 1) {
      throw new IllegalArgumentException(
          "There is no single level that " + name(one) + " and " + name(other) + " cover");
    }
    return strongest.get(0);
  }

  private static Set<Class<? extends Level>> covered(Class<? extends Level> level) {
    Set<Class<? extends Level>> all = new LinkedHashSet<>();
    all.add(level);
    for (Class<?> each : level.getInterfaces()) {
      if (Level.class.isAssignableFrom(each)) {
        all.addAll(covered(each.asSubclass(Level.class)));
      }
    }
    return all;
  }

  /** The levels in an order in which none comes before one that is stronger. */
  public static List<Class<? extends Level>> strongestFirst(
      Collection<Class<? extends Level>> levels) {
    List<Class<? extends Level>> left = new ArrayList<>(new LinkedHashSet<>(levels));
    List<Class<? extends Level>> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      for (Class<? extends Level> each : left) {
        if (left.stream().noneMatch(more -> !more.equals(each) && isAtLeast(more, each))) {
          ordered.add(each);
          left.remove(each);
          break;
        }
      }
    }
    return ordered;
  }

  /** The level that is called so. */
  public static Class<? extends Level> named(String name) {
    return strongestFirst(covered(Linearizable.class)).stream()
        .filter(each -> name(each).equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no level " + name));
  }

  /** As people call it. */
  public static String name(Class<? extends Level> level) {
    return level.getSimpleName();
  }
}
