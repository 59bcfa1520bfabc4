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

import java.util.List;
import org.orcagrid.cli.EnsembleMember;

/** What clients do while servers go through a sequence of faults. */
public interface FaultScript extends AutoCloseable {

  /**
   * Makes a script for an ensemble.
   *
   * @param <S> which
   */
  @FunctionalInterface
  interface Maker<S extends FaultScript> {

    /** Returns a script whose clients know these servers, all of which serve. */
    S on(List<EnsembleMember> members) throws InterruptedException;
  }

  /** A stage has begun; these servers are up and will not lag in it. */
  void before(List<Integer> prompt) throws InterruptedException;

  /** Now one server is cut off from the others; clients still reach it. */
  void during(List<Integer> prompt, int lagging) throws InterruptedException;

  /** A server has crashed. */
  void crashed(int server);

  /** The sequence is over and all servers serve. */
  void allUp(List<Integer> servers) throws InterruptedException;

  @Override
  void close();
}
