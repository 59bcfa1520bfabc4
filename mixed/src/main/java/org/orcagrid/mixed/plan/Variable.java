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

import org.orcagrid.mixed.level.Level;

/** A variable of a transaction; each object is another one. */
public final class Variable {
  private final Class<? extends Level> level;
  private final boolean isResult;

  private Variable(Class<? extends Level> level, boolean isResult) {
    this.level = level;
    this.isResult = isResult;
  }

  /** One that is bound by a {@code let} or a loop. */
  public static Variable bound(Class<? extends Level> level) {
    return new Variable(level, false);
  }

  /** One that the transaction's caller gets; null until it is set. */
  public static Variable result(Class<? extends Level> level) {
    return new Variable(level, true);
  }

  /** How consistent what it holds is, at least. */
  public Class<? extends Level> level() {
    return level;
  }

  boolean isResult() {
    return isResult;
  }

  String kind() {
    return isResult ? "a result" : "a variable";
  }
}
