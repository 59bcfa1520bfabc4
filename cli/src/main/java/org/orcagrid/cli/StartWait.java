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
package org.orcagrid.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.orcagrid.cli.ProcessLauncher.Launched;

/**
 * Waits for a launched server and explains, from its output, why it did not come up.
 *
 * @param launched the process
 * @param name what a sentence calls it, such as "the server of zoo.cfg"
 */
record StartWait(Launched launched, String name) {
  private static final int CONNECT_TIMEOUT_MS = 1_000;

  /** Returns once {@code up} holds; fails when the process ends or the time is over. */
  void await(Duration limit, Deadline.Condition up)
      throws CommandFailure, IOException, InterruptedException {
    boolean done = Deadline.in(limit).await(() -> !launched.process().isAlive() || up.holds());
    requireAlive();
    if (!done) {
      throw CommandFailure.withEvidence(
          "No answer from "
              + name
              + " (pid "
              + launched.process().pid()
              + ") within "
              + limit.toSeconds()
              + " s; it is still running, its log is "
              + launched.output().log()
              + ", and 'orca server stop' ends it.",
          launched.output().tail(launched.mark()));
    }
  }

  /** Fails with the process's own last sentence if it has ended. */
  void requireAlive() throws CommandFailure, IOException {
    if (launched.process().isAlive()) {
      return;
    }
    ServerOutput output = launched.output();
    String said = output.failure(launched.mark()).orElse(null);
    if (said != null) {
      throw new CommandFailure(said);
    }
    throw CommandFailure.withEvidence(
        "The process of "
            + name
            + " ended with exit status "
            + launched.process().exitValue()
            + " while starting; its log is "
            + output.log()
            + ".",
        output.tail(launched.mark()));
  }

  static boolean accepts(InetSocketAddress address) {
    InetSocketAddress reachable = Addresses.reachable(address);
    try (Socket socket = new Socket()) {
      socket.connect(reachable, CONNECT_TIMEOUT_MS);
      return true;
    } catch (IOException e) {
      // Not listening yet, which is what the caller asks.
      return false;
    }
  }
}
