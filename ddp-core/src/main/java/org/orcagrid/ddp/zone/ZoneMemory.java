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
package org.orcagrid.ddp.zone;

import java.nio.ByteBuffer;

/**
 * The memory of a zone, at its owner. One thread uses it, while a peer may write behind its back.
 */
public interface ZoneMemory {
  /** The least bytes of one. */
  int BYTES_MIN = 1024;

  /** The most: whoever writes into one has a copy of it. */
  int BYTES_MAX = 16 << 20;

  /**
   * Its bytes: direct or not, little-endian, all of them from 0 to the limit, at least {@link
   * #BYTES_MIN} and a multiple of 64.
   */
  ByteBuffer bytes();

  /**
   * Makes what the owner has stored here survive a loss of power before this returns. Eight bytes
   * that are stored at once and aligned survive together or not at all.
   *
   * @throws IllegalStateException if the memory is gone
   */
  void persist(int at, int bytes);
}
