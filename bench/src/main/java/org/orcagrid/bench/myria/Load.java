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
package org.orcagrid.bench.myria;

/**
 * What application servers do.
 *
 * @param strongPercent of operations at the linearizable store
 * @param writePercent of operations that write, in either store
 * @param isGroups whether these are those of Message Groups, with a post's check and insertion in
 *     one transaction; else single reads and increments
 * @param isTracked whether causality between the stores is kept
 */
public record Load(int strongPercent, int writePercent, boolean isGroups, boolean isTracked) {
  /** The same without tracking: what the stores cost alone. */
  public Load untracked() {
    return new Load(strongPercent, writePercent, isGroups, false);
  }

  @Override
  public String toString() {
    return (isGroups ? "Message Groups" : "synthetic")
        + ", "
        + strongPercent
        + " % strong, "
        + writePercent
        + " % writes"
        + (isTracked ? "" : ", untracked");
  }
}
