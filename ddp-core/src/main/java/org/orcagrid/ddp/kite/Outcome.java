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
package org.orcagrid.ddp.kite;

/** How an operation has ended. */
public enum Outcome {
  /** It took effect. */
  DONE(1),
  /** A compare-and-set found another value; nothing was written. */
  NOT_EQUAL(2),
  /**
   * There is no room in the store of this node, or of so many that no majority is left: for this
   * operation, or for a relaxed write of the session before it. Of this operation nothing was
   * written or returned.
   */
  STORE_FULL(3),
  /** The value to add to does not have 8 bytes; nothing was written. */
  NOT_A_NUMBER(4),
  /**
   * The node has ended before it, or a majority had room when it was asked and has none now: the
   * operation may take effect yet, or have done so.
   */
  UNKNOWN(5),
  /** Its session ended before it was begun: nothing was written, and nothing will be. */
  NOT_BEGUN(6);

  private static final Outcome[] ALL = values();

  private final int code;

  Outcome(int code) {
    this.code = code;
  }

  /** The number that stands for it on the wire. */
  public int code() {
    return code;
  }

  /** The outcome with that number; null if there is none. */
  public static Outcome of(int code) {
    return code > 0 && code <= ALL.length ? ALL[code - 1] : null;
  }
}
