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
package org.orcagrid.bench.kite;

import java.util.concurrent.atomic.AtomicLong;

/** A client with a thread of its own, which waits for each access, in a closed loop. */
abstract class WaitingClient {
  private final AtomicLong done = new AtomicLong();

  /** Does what counts as so many. */
  abstract int once();

  /** Goes on until it is told to stop. */
  final void run(StopSign stop) {
    while (!stop.isShown()) {
      done.lazySet(done.getPlain() + once());
    }
  }

  final long done() {
    return done.get();
  }

  /** Shown to all clients of a turn at once. */
  static final class StopSign {
    private volatile boolean shown;

    void show() {
      shown = true;
    }

    boolean isShown() {
      return shown;
    }
  }
}
