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
package org.orcagrid.server.settings;

/**
 * Which successful writes are answered only once they are durable ({@code orca.gatedWrites}).
 * Failed writes always are: an error tells what others wrote.
 */
public enum GatedWrites {
  /**
   * None: also a compare-and-set that succeeded may be lost until somebody reads it, and the Stat
   * of a successful write may show others' writes that are lost.
   */
  NONE,
  /**
   * Those that name a version, sequential creates, and transactions with one of them. Any other
   * waits for what other sessions have changed in its node, not for itself.
   */
  CONDITIONAL,
  /** All: synchronous durability, with the batching of CAD's flushes. */
  ALL
}
