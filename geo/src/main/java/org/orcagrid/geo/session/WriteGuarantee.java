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
package org.orcagrid.geo.session;

/**
 * What a write asks for (NuKV, section 3). Guarantees are for each key: the write wins over
 * versions that the session has seen, at all replicas and for good.
 */
public enum WriteGuarantee {
  /** Nothing: the version with the later timestamp wins. */
  EVENTUAL(false, false),
  /** It wins over what the session has read (Definition 3.7). */
  WRITE_FOLLOWS_READS(true, false),
  /** It wins over what the session has written (Definition 3.6). */
  MONOTONIC_WRITE(false, true),
  /** Both. */
  MONOTONIC_WRITE_FOLLOWS_READS(true, true);

  private final boolean afterReads;
  private final boolean afterWrites;

  WriteGuarantee(boolean afterReads, boolean afterWrites) {
    this.afterReads = afterReads;
    this.afterWrites = afterWrites;
  }

  /** Whether it wins over what the session has read. */
  public boolean afterReads() {
    return afterReads;
  }

  /** Whether it wins over what the session has written. */
  public boolean afterWrites() {
    return afterWrites;
  }
}
