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

import java.io.IOException;
import java.util.List;

/** The logs of a node's partitions. */
public interface NodeLogs extends AutoCloseable {
  /**
   * The log of a partition, before {@link #start}. It calls its host back later only.
   *
   * @param members the nodes of its group
   */
  HostedLog open(LogHost host, List<Integer> members) throws IOException;

  /** All logs are open, and their hosts ready. */
  void start() throws IOException;

  /** Ends all logs, whose hosts have ended. What was acknowledged is durable. */
  @Override
  void close();
}
