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
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * Relays between the servers of one ensemble that can hold back everything which one server sends
 * and is sent, as a link does that has slowed to nothing: no connection breaks, and nothing is
 * lost.
 *
 * <p>Each direction of each connection has a thread; what it has read and may not pass on stays
 * with it, and beyond that the sender waits.
 */
final class Holds extends Relays {

  /** Guarded by this object's monitor, which is notified of changes. */
  private final Set<Integer> held = new TreeSet<>();

  /** From now on nothing gets to this server or from it. */
  synchronized void hold(int server) {
    held.add(server);
  }

  /** Everything goes on, also what was held back. */
  synchronized void release() {
    held.clear();
    notifyAll();
  }

  private synchronized void awaitPassage(int from, int to) throws InterruptedException {
    while (!isClosed() && (held.contains(from) || held.contains(to))) {
      wait();
    }
  }

  @Override
  protected void carry(Socket source, Socket target, int from, int to) {
    start("holds-" + from + "-" + to, () -> relay(source, target, from, to));
  }

  private void relay(Socket source, Socket target, int from, int to) throws InterruptedException {
    byte[] buffer = new byte[CHUNK_BYTES];
    try (InputStream in = source.getInputStream();
        OutputStream out = target.getOutputStream()) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        byte[] chunk = Arrays.copyOf(buffer, count);
        awaitPassage(from, to);
        out.write(chunk);
      }
    } catch (IOException broken) {
      // The end of a connection, also when a server was killed; both sides learn it below.
    } finally {
      close(source);
      close(target);
    }
  }

  @Override
  public void close() {
    super.close();
    release();
  }
}
