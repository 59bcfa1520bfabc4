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
package org.orcagrid.bench.myria.real;

/** What is done to one key, or to one at each of two stores. */
public enum Operation {
  STRONG_READ("strong reads"),
  STRONG_WRITE("strong writes"),
  CAUSAL_READ("causal reads"),
  CAUSAL_WRITE("causal writes"),
  /** A change at both stores. */
  POST("posts to both");

  private final String title;

  Operation(String title) {
    this.title = title;
  }

  /** How pages call them. */
  public String title() {
    return title;
  }

  /** One of a load with these shares, in percent. */
  static Operation of(int strongPercent, int writePercent, int strong, int write) {
    if (strong < strongPercent) {
      return write < writePercent ? STRONG_WRITE : STRONG_READ;
    }
    return write < writePercent ? CAUSAL_WRITE : CAUSAL_READ;
  }
}
