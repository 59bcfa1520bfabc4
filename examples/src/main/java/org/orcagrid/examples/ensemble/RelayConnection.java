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
package org.orcagrid.examples.ensemble;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How a relay reaches the server behind it. */
public final class RelayConnection {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private RelayConnection() {}

  /**
   * Connects to a port of this machine. A server that does not listen yet is waited for: whoever
   * connects to the relay has been accepted already, and would take a closed connection for a
   * server that has given it up, where a direct one would have been refused and tried again.
   *
   * @throws IOException if nobody listens within a second
   */
  public static Socket connect(int port) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException refused) {
        if (System.nanoTime() > end) {
          throw refused;
        }
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      }
    }
  }
}
