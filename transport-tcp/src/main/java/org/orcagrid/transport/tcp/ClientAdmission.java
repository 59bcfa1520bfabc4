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
package org.orcagrid.transport.tcp;

import java.util.Locale;

/** Which clients a node admits at its port. */
public enum ClientAdmission {
  /** Whoever knows the grid's name; with TLS, whoever has a certificate. */
  OPEN,
  /** Whoever proves to know the grid's secret, as nodes do. */
  SECRET,
  /** None: only nodes connect. */
  NONE;

  /** As it is written in settings. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads one as it is written in settings.
   *
   * @throws IllegalArgumentException if it is none, saying which there are
   */
  public static ClientAdmission parse(String text) {
    for (ClientAdmission each : values()) {
      if (each.word().equals(text.trim())) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "grid.clients is open, secret or none, not "
            + text.trim()
            + "; clients connect where the node listens");
  }
}
