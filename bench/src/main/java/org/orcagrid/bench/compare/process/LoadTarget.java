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
package org.orcagrid.bench.compare.process;

/**
 * A system as a load process sees it: its node, or its nearest server, and the clients at it. It
 * has a public constructor with {@link LoadSettings} as its only parameter, which returns when all
 * nodes of the system are there. Called by one thread.
 */
public interface LoadTarget extends AutoCloseable {

  /** Name and version. */
  String product();

  /**
   * Gives this process's share of the keys a value: every key whose remainder, divided by the
   * number of processes, is the number of this one.
   *
   * @throws Exception if it cannot be done
   */
  void fill() throws Exception;

  /** Begins to load, and returns at once. */
  void begin(LoadOrder order);

  /** Operations that have ended so far, in all turns. */
  long done();

  /** How long those took that were timed, in all turns; none if that is not measured. */
  default Latencies latencies() {
    return Latencies.none();
  }

  /** Begins no more operations. */
  void end();

  /** Whether nothing is under way. */
  boolean isIdle();

  /** What has gone wrong: an operation that failed, or found no value; null if nothing has. */
  String failure();

  /** What should not happen on a quiet machine, so far. */
  default long disturbances() {
    return 0;
  }

  @Override
  void close();
}
