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

import org.orcagrid.ddp.store.Bytes;

/** What a session does to its node's copy in its own thread, when nothing of it is under way. */
public interface LocalCopy {

  /** Reads a key; false if that needs the worker. */
  boolean read(Bytes key, Bytes into);

  /**
   * Writes a key here; the worker is to announce the key.
   *
   * @return null if that needs the worker, and nothing was written
   */
  Outcome write(Bytes key, Bytes value);
}
