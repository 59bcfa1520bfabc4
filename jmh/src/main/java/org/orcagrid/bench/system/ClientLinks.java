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

/** Links between clients and servers on which everything takes longer. */
public final class ClientLinks implements AutoCloseable {
  private final DelayedLinks links;

  /** Links with this delay, in milliseconds one way. */
  public ClientLinks(double delayMs) {
    this.links = new DelayedLinks(delayMs);
  }

  /**
   * Returns where a client is to connect, so that it reaches this server over such a link.
   *
   * @throws IOException if no port can be had
   */
  public ServerAddress to(ServerAddress server) throws IOException {
    return new ServerAddress("127.0.0.1", links.port(0, 0, server.port()));
  }

  /** Ends all connections. */
  @Override
  public void close() {
    links.close();
  }
}
