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
package org.orcagrid.geo.log;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.orcagrid.transport.tcp.HostPort;

/**
 * The node whose partitions have the logs.
 *
 * @param number its number
 * @param nodes where all nodes listen, by their numbers
 * @param storeId tells the store from others
 * @param folder of the node
 * @param files its partitions' snapshots
 * @param timing of elections
 * @param failures is told what the node cannot go on after, from any thread
 */
public record LogNode(
    int number,
    List<HostPort> nodes,
    long storeId,
    Path folder,
    SnapshotFiles files,
    Timing timing,
    Consumer<Throwable> failures) {

  /**
   * When followers give a leader up.
   *
   * @param electionNanos how long they hear nothing at least
   * @param beatNanos how often an idle leader is heard
   */
  public record Timing(long electionNanos, long beatNanos) {}
}
