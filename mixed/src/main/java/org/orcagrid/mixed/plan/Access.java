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
package org.orcagrid.mixed.plan;

/**
 * The open store transactions that phases are evaluated in. A read sees what was written before by
 * the same access. What it throws goes through to whoever evaluates. Values do not change: who
 * writes one makes another object.
 *
 * <p>It refuses an object whose level is not its store's.
 */
public interface Access {
  /**
   * What an object holds, null if there is none.
   *
   * @throws MissingException if it is not there yet: the caller gets it, and evaluates again
   */
  Object read(StoredObject object);

  /** Gives an object another value. */
  void write(StoredObject object, Object value);

  /** Has a store do something to an object. */
  void change(StoredObject object, Operation operation, Object argument);

  /** An object is written, and with what is missing. */
  default void unknown(StoredObject object) {}
}
