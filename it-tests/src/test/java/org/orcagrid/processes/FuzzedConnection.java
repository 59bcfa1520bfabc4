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
package org.orcagrid.processes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;

/** Sends what it is given to a client port of this machine, and reads whatever comes back. */
final class FuzzedConnection {
  private static final int SILENCE_MS_MAX = 150;

  private FuzzedConnection() {}

  /** Returns when the server has closed the connection or said nothing more for a while. */
  static void send(int port, List<byte[]> pieces) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(SILENCE_MS_MAX);
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      byte[] answers = new byte[1 << 16];
      try {
        for (int i = 0; i < pieces.size(); i++) {
          out.write(pieces.get(i));
          // A session is there before it is used; else what follows may be read with the handshake.
          if (i == 0 && in.read(answers) < 0) {
            return;
          }
        }
        while (in.read(answers) >= 0) {
          // What is said back is judged by a client beside it.
        }
      } catch (SocketTimeoutException e) {
        return; // It has said all that it will.
      } catch (IOException e) {
        return; // The server has closed the connection, as it may.
      }
    }
  }
}
