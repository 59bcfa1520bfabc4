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
package org.orcagrid.bench.system;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A running ensemble that can be put under load. Closing it ends every process it started. */
public interface SystemUnderTest extends AutoCloseable {

  /** Returns which system this is. */
  SystemSpec spec();

  /** Returns the client address of every server. */
  List<ServerAddress> servers();

  /**
   * Returns the client address of the leader.
   *
   * @throws IOException if none says that it leads
   */
  default ServerAddress leader() throws IOException {
    return FourLetterWords.leader(servers());
  }

  /**
   * Waits until a leader serves and all others follow it.
   *
   * @throws IOException if a server ended or the ensemble is not complete in time; the message says
   *     where its log is
   */
  void awaitServing() throws IOException, InterruptedException;

  /**
   * Returns the processor time that each server has used so far, in the order of {@link
   * #servers()}; empty where the operating system does not tell.
   */
  List<Duration> processorTimes();

  @Override
  void close();
}
