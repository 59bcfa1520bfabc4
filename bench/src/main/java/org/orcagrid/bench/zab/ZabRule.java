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
package org.orcagrid.bench.zab;

import java.util.EnumSet;
import java.util.Set;

/** The rules on which correctness rests; a test takes one away and sees the checker find it. */
public enum ZabRule {
  /** The leader commits what a majority has. */
  MAJORITY,
  /** A follower takes proposals in the order of their zxids, without a gap. */
  NO_GAP,
  /** The leader takes the writes of a follower in the follower's order, each once. */
  ONCE,
  /** A write ends when its own node has applied it, so that its session reads it. */
  APPLIED_HERE;

  private static final Set<ZabRule> ALL = Set.copyOf(EnumSet.allOf(ZabRule.class));

  /** All of them. */
  public static Set<ZabRule> all() {
    return ALL;
  }

  /** All but one. */
  public static Set<ZabRule> without(ZabRule broken) {
    return EnumSet.complementOf(EnumSet.of(broken));
  }
}
