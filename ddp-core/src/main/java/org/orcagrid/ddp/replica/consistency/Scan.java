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
package org.orcagrid.ddp.replica.consistency;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Write;

/**
 * A read of all keys of a node. It looks once; what it has found and may not show yet it waits for,
 * as a read of that key would.
 */
final class Scan {
  private final Consumer<Write> reader;

  /** Found, and not shown yet; null before it has looked. */
  private Deque<Write> waiting;

  /**
   * A scan.
   *
   * @param reader takes each version that is shown; what it has counts when the scan is done
   */
  Scan(Consumer<Write> reader) {
    this.reader = reader;
  }

  boolean hasLooked() {
    return waiting != null;
  }

  /** Looks at entries if it has not: a read would show {@code shown}, and wait for the others. */
  void look(Iterable<Entry> entries, Predicate<Entry> shown) {
    if (hasLooked()) {
      return;
    }
    waiting = new ArrayDeque<>();
    for (Entry entry : entries) {
      if (entry.hasVersion() && shown.test(entry)) {
        show(entry.write());
      } else if (entry.hasVersion()) {
        waiting.add(entry.write());
      }
    }
  }

  /** A read would show this version. */
  void show(Write version) {
    reader.accept(version);
  }

  /**
   * Goes on with what it waits for, in the order in which that was found.
   *
   * @param shows shows a version, or whatever stands for it, unless that has to wait
   * @return whether nothing is left
   */
  boolean goOn(Predicate<Write> shows) {
    while (!waiting.isEmpty() && shows.test(waiting.peek())) {
      waiting.poll();
    }
    return waiting.isEmpty();
  }
}
