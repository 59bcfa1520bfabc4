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

import java.util.Map;

/**
 * Which system to start, as a configuration of one of two servers.
 *
 * @param id the short name used on command lines and in result files
 * @param title what a chart's legend says
 * @param server whose server runs
 * @param settings lines of its configuration file beyond the common ones
 * @param guarantee one sentence on what the system promises its clients
 */
public record SystemSpec(
    String id, String title, Server server, Map<String, String> settings, String guarantee) {

  /** The setting that says who answers reads; stock passes over it. */
  static final String READERS = "orca.readers";

  /** Its value where only the leader does. */
  static final String LEADER = "leader";

  /** Keeps a copy of the settings. */
  public SystemSpec {
    settings = Map.copyOf(settings);
  }

  /** Whose server a system runs. */
  public enum Server {
    /** This project's server. */
    ORCA,
    /** The released ZooKeeper jar, without any of our classes. */
    STOCK
  }

  /** Returns whether reads are answered by the leader alone. */
  public boolean onlyTheLeaderAnswers() {
    return LEADER.equals(settings.get(READERS));
  }

  /** Returns whether the server can be told to lengthen its fsyncs. */
  public boolean canDelayFsync() {
    return server == Server.ORCA;
  }
}
