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
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks a ZooKeeper server one of its four-letter words over a plain connection of its own. */
final class FourLetterWord {
  /** An answer longer than this is cut: the words that the commands use answer in a few lines. */
  private static final int ANSWER_BYTES_MAX = 1 << 20;

  private FourLetterWord() {}

  /**
   * Returns the whole answer.
   *
   * @param timeout for connecting, and again for each part of the answer
   * @throws IOException if nobody listens there or the answer does not come in time
   */
  static String ask(InetSocketAddress server, String word, Duration timeout) throws IOException {
    int timeoutMs = Math.toIntExact(timeout.toMillis());
    InetSocketAddress reachable = Addresses.reachable(server);
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(reachable.getHostString(), reachable.getPort()), timeoutMs);
      socket.setSoTimeout(timeoutMs);
      socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      byte[] answer = socket.getInputStream().readNBytes(ANSWER_BYTES_MAX);
      return new String(answer, StandardCharsets.UTF_8);
    }
  }
}
