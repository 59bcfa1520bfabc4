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
package org.orcagrid.client.map;

/** That a listener is told of changes: until this is closed. Safe for use by many threads. */
public interface MapListening extends AutoCloseable {
  /** When so many changes wait for a listener, later ones of a key are told as one. */
  int WAITING_MAX = 16_384;

  /** How many changes were told together with a later one of the same key. */
  long merged();

  /** How many times the listener has thrown something. */
  long failed();

  /** Ends it. A call of the listener may be under way, or just begin, when this returns. */
  @Override
  void close();
}
