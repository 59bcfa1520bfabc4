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
package org.orcagrid.bench.load;

/** When a client sends its next operation. */
public enum LoadMode {
  /** After the answer to the one before. */
  CLOSED,
  /** As soon as fewer than a fixed number of operations are without an answer. */
  PIPELINED,
  /**
   * At fixed times, whether or not answers have come; latency counts from the time at which the
   * operation was meant to be sent.
   */
  RATE
}
