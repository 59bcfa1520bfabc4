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
package org.orcagrid.server.console;

import java.util.List;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A running server, as its console sees it. Any thread may ask. */
public interface ConsoleView {

  /** Returns the server in its present role, or null while it has none. */
  ZooKeeperServer server();

  /** Returns the server's number, 0 for one that is alone. */
  long id();

  /** Returns what it is: looking, following, leading, observing, or standalone. */
  String role();

  /** Returns the number of the server that it takes for the leader, or -1. */
  long leader();

  /** Returns its last roles, the newest first. */
  List<RoleHistory.Entry> history();
}
