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
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * How partitions' logs are replicated: what {@code geo.log} chooses. Our own Raft is always there.
 * Others are found with {@link ServiceLoader}.
 */
public interface LogKind {
  /** What {@code geo.log} calls it. */
  String name();

  /**
   * Opens the logs of a node.
   *
   * @throws IOException if this node cannot have them; the message says why, and the fix
   */
  NodeLogs open(LogNode node) throws IOException;

  /**
   * The kind of a name.
   *
   * @throws IllegalArgumentException if none of this class path has it; the message names those
   *     that there are
   */
  static LogKind named(String name) {
    List<String> there = new ArrayList<>();
    there.add(RaftKind.NAME);
    if (name.equals(RaftKind.NAME)) {
      return new RaftKind();
    }
    for (LogKind each : ServiceLoader.load(LogKind.class, LogKind.class.getClassLoader())) {
      if (each.name().equals(name)) {
        return each;
      }
      there.add(each.name());
    }
    throw new IllegalArgumentException(
        "geo.log="
            + name
            + " is no log of this class path, which has "
            + String.join(", ", there)
            + "; set geo.log to one of them, or add the jar of geo-"
            + name
            + " and what it needs");
  }
}
