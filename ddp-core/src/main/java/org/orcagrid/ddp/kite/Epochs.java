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

/**
 * Decides which keys of a node are in-epoch (section 4.2). A key is in-epoch if it was refreshed
 * since the latest epoch began. It is in-epoch, too, if no slow-release since {@link #floor} has
 * named it. Immutable.
 */
final class Epochs {
  /** Those of a node that has missed nothing. */
  static final Epochs FIRST = new Epochs(0, 0, new MissedKeys());

  /** Those of a node that does not serve yet: no key is in-epoch, so nobody reads its copy. */
  static final Epochs NOT_SERVING = new Epochs(Integer.MAX_VALUE, Integer.MAX_VALUE, FIRST.missed);

  /** The machine's epoch-id: it grows whenever the node learns of what it has missed. */
  final int latest;

  /** The latest epoch that has rendered all keys out-of-epoch. */
  final int floor;

  /** The keys that were missed since the {@link #floor}. Never modified. */
  private final MissedKeys missed;

  private Epochs(int latest, int floor, MissedKeys missed) {
    this.latest = latest;
    this.floor = floor;
    this.missed = missed;
  }

  /** Returns the epochs after the node has learned that it missed these keys. */
  Epochs raised(MissedKeys more) {
    MissedKeys all = new MissedKeys();
    all.addAll(missed);
    all.addAll(more);
    return all.isDense()
        ? new Epochs(latest + 1, latest + 1, FIRST.missed)
        : new Epochs(latest + 1, floor, all);
  }

  /**
   * Whether a key is in-epoch.
   *
   * @param epoch the epoch of the key's record, 0 if it has no record
   */
  boolean has(int epoch, long hash) {
    return epoch >= latest || (epoch >= floor && !missed.has(hash));
  }
}
