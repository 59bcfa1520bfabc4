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
package org.orcagrid.simulator.kite;

import java.util.SplittableRandom;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.simulator.checker.Access;

/** What the sessions of a run do. */
interface Workload {

  /**
   * An operation.
   *
   * @param kind what it is
   * @param key which key
   * @param written what it writes, or adds; {@link Access#ABSENT} if nothing
   * @param expected what a compare-and-set expects
   */
  record Choice(OperationKind kind, int key, long written, long expected) {
    static Choice read(OperationKind kind, int key) {
      return new Choice(kind, key, Access.ABSENT, Access.ABSENT);
    }

    static Choice write(OperationKind kind, int key, long value) {
      return new Choice(kind, key, value, Access.ABSENT);
    }
  }

  /** How many operations a session has. */
  int operations(int session);

  /**
   * The next operation of a session.
   *
   * @param step how many it has done
   * @param lastRead what it has read or written last
   */
  Choice choose(int session, int step, long lastRead, SplittableRandom random);
}
