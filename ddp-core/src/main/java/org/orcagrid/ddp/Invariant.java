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
package org.orcagrid.ddp;

/**
 * A rule that must hold whatever happens; that it does not is a fault of this program, not of the
 * world.
 *
 * <p>Unlike {@code assert} it cannot be switched off, so that the program that was tested is the
 * program that runs.
 */
public final class Invariant {

  private Invariant() {}

  /**
   * Fails with {@code rule} when {@code holds} is false.
   *
   * @throws IllegalStateException if the invariant is broken
   */
  public static void check(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalStateException("Invariant broken: " + rule);
    }
  }

  /**
   * Fails with {@code rule} and the two values when {@code holds} is false.
   *
   * @throws IllegalStateException if the invariant is broken
   */
  public static void check(
      boolean holds, String rule, String firstName, long first, String secondName, long second) {
    if (!holds) {
      throw new IllegalStateException(
          "Invariant broken: "
              + rule
              + " ("
              + firstName
              + "=0x"
              + Long.toHexString(first)
              + ", "
              + secondName
              + "=0x"
              + Long.toHexString(second)
              + ")");
    }
  }
}
