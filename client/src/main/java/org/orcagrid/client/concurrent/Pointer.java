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

import org.orcagrid.client.Input;
import org.orcagrid.client.Output;

/**
 * A node of a structure in one of its lives. A node that is used again has another life, and one
 * that was given up never comes back. So no pointer is ever right twice: whoever finds that a
 * compare-and-set has met a pointer knows that it has not been away (the ABA problem, which Kite's
 * section 7.3 solves with counted pointers).
 *
 * @param handle the random number of the handle that has made the node; 0 for no node
 * @param number the node's, of those of its handle
 * @param life how often the node was used before
 */
record Pointer(long handle, long number, long life) {
  static final Pointer NONE = new Pointer(0, 0, 0);

  boolean isNone() {
    return handle == 0;
  }

  /** The same node when it is used again. */
  Pointer again() {
    return new Pointer(handle, number, life + 1);
  }

  void write(Output out) {
    out.putLong(handle).putLong(number).putLong(life);
  }

  static Pointer read(Input in) {
    return new Pointer(in.getLong(), in.getLong(), in.getLong());
  }
}
