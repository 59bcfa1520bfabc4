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
package org.orcagrid.transport.rdma;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened, to be given back in reverse order: all of it, whatever fails. */
final class Resources implements AutoCloseable {
  private final Deque<Closing> opened = new ArrayDeque<>();

  /** Gives something back. */
  @FunctionalInterface
  interface Closing {
    void run() throws IOException;
  }

  void add(Closing closing) {
    opened.push(closing);
  }

  /**
   * Gives back what was added; a second call does nothing.
   *
   * @throws IOException the first that was thrown, with the others added to it
   */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().run();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** The same while another failure is thrown, which is the one to be told of. */
  void closeAfter(IOException reason) {
    try {
      close();
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }
}
