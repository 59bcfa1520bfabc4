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
package org.orcagrid.ddp.map;

import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/**
 * A change of a key as it has become visible at a node.
 *
 * @param before null if there was no version, or none is known
 * @param now without a value if the key was removed; under the clock of {@code before} if the time
 *     of that was over; null if the removal is forgotten already
 * @param wasThere whether the key had a value before, by the node's clock
 * @param isOver whether it has none now because the time of the value is over
 */
public record Shown(Key key, Write before, Write now, boolean wasThere, boolean isOver) {

  /** A change that became visible at a moment of the node's clock. */
  public static Shown at(long millis, Key key, Write before, Write now) {
    boolean isOver =
        isGone(now)
            && before != null
            && (now == null ? Lifetime.isOver(before, millis) : now.clock() == before.clock());
    // A value whose time has just ended was there when it did.
    return new Shown(key, before, now, isOver || Lifetime.isThere(before, millis), isOver);
  }

  private static boolean isGone(Write version) {
    return version == null || version.value() == null;
  }

  /** Whether the key has no value now. */
  public boolean isGone() {
    return isGone(now);
  }

  /** Whether the key has a value now or had one before. */
  public boolean isOfAnything() {
    return wasThere || !isGone();
  }

  /** This change and a later one of the same key as one. */
  public Shown then(Shown later) {
    return new Shown(key, before, later.now, wasThere, later.isOver);
  }
}
