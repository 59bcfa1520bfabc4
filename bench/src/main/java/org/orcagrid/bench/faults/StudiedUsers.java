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
package org.orcagrid.bench.faults;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.orcagrid.simulator.checker.ExposedStates.Verdict;

/** The users of one application, whose looks are judged as those users would. */
interface StudiedUsers {

  /** All of them begin. */
  void join(Duration patience) throws InterruptedException;

  /** One of them changes something. */
  void change(int server, SplittableRandom random, Duration patience) throws InterruptedException;

  /** One of them looks; empty if the server does not answer in time. */
  Optional<Verdict> look(int server, SplittableRandom random, Duration patience)
      throws InterruptedException;
}
