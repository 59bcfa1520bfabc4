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
package org.orcagrid.mixed.world;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** Plays worlds from seeds; {@code -Dseeds} says how many. */
public final class Seeds {
  private static final int SEEDS = Integer.getInteger("seeds", 2_000);
  private static final int SOME = 50;

  private Seeds() {}

  /** No seed breaks a promise. */
  public static void breakNothing(LongFunction<World> worlds) {
    List<String> wrong =
        LongStream.range(0, SEEDS)
            .parallel()
            .boxed()
            .flatMap(
                seed -> {
                  String found = worlds.apply(seed).run();
                  return found == null ? null : List.of("seed " + seed + ": " + found).stream();
                })
            .toList();
    assertEquals(List.of(), wrong);
  }

  /** A world in which nothing goes wrong would prove nothing. */
  public static void meet(Set<String> all, LongFunction<World> worlds) {
    Set<String> happened = new TreeSet<>();
    for (long seed = 0; seed < SOME; seed++) {
      World world = worlds.apply(seed);
      assertEquals(null, world.run());
      happened.addAll(world.happened());
    }
    assertEquals(all, happened);
  }

  /** Some seed breaks a promise without a rule. */
  public static void find(Object missing, LongFunction<World> worlds) {
    if (LongStream.range(0, SEEDS).parallel().anyMatch(seed -> worlds.apply(seed).run() != null)) {
      return;
    }
    throw new AssertionError("No seed has found that " + missing + " is missing");
  }
}
