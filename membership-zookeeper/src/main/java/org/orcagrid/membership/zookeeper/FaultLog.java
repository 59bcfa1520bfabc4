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
package org.orcagrid.membership.zookeeper;

import org.slf4j.Logger;

/** Logs what is wrong with an ensemble once, and that it answers again. For one thread. */
final class FaultLog {
  private final Logger log;

  /** What the log has said last; empty if nothing is wrong. */
  private String said = "";

  FaultLog(Logger log) {
    this.log = log;
  }

  void onFault(String what) {
    if (!what.equals(said)) {
      log.warn(what);
      said = what;
    }
  }

  /** The ensemble has answered. */
  void onAnswer(GridRegistry of) {
    if (!said.isEmpty()) {
      log.warn("{} answers again", of);
      said = "";
    }
  }
}
