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
package org.orcagrid.bench.compare.process;

import java.util.concurrent.CompletionStage;

/**
 * What a client's thread does with a system's data: through the system's own interface, as its
 * users do. Used by one thread at a time.
 */
public interface Accesses {

  /** Begins to read; the result is the value. */
  CompletionStage<?> read(long key);

  /** Begins to write. */
  CompletionStage<?> write(long key, byte[] value);

  /** Reads and waits: the value, null if there is none. */
  Object get(long key);

  /** Writes and waits. */
  void set(long key, byte[] value);
}
