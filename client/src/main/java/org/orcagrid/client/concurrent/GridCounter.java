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
package org.orcagrid.client.concurrent;

import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;

/**
 * A number that the sessions of a grid count up and down together; linearizable. One object belongs
 * to one session. All methods throw what {@link View} throws.
 */
public final class GridCounter {
  private final View<Part, Long> view;
  private final Part value;

  /** A session's handle on the counter of that name, which begins at 0. */
  public GridCounter(GridSession session, String name) {
    this.view = session.view(Part.CODEC, Codec.LONG);
    this.value = new Part("counter " + name, Part.HEAD, 0);
  }

  /** Adds to it and returns what it is then. */
  public long addAndGet(long delta) {
    return view.getAndAdd(value, delta) + delta;
  }

  /** Adds 1 and returns what it is then. */
  public long incrementAndGet() {
    return addAndGet(1);
  }

  /** Returns what it is. */
  public long get() {
    Long present = view.getAcquire(value);
    return present == null ? 0 : present;
  }
}
