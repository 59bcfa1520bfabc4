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
package org.orcagrid.examples.mailbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.orcagrid.examples.ensemble.Relays;

/**
 * The link between two datacenters, which can be cut and delayed. While it is cut nothing arrives,
 * and no connection breaks: a node only hears nothing any more. What was on its way arrives when it
 * is mended, if the nodes have not given up that connection.
 *
 * <p>A thread for each direction of a connection waits with what it has read; what comes meanwhile
 * it reads next. So what arrives is late by the delay at least, and by twice the delay at most.
 */
final class WideLink extends Relays {
  // Guarded by this object's monitor, which is notified of changes.
  private boolean isCut;
  private long delayMillis;

  /** Nothing arrives any more. */
  synchronized void cut() {
    isCut = true;
  }

  /** All arrives, late. */
  synchronized void delay(long millis) {
    isCut = false;
    delayMillis = millis;
    notifyAll();
  }

  /** All arrives at once. */
  synchronized void mend() {
    delay(0);
  }

  /** Whether it is cut, or by how much it is delayed. */
  synchronized String text() {
    return isCut ? "cut" : delayMillis > 0 ? "delayed by " + delayMillis + " ms" : "up";
  }

  private synchronized void awaitPassage(long readNanos) throws InterruptedException {
    while (!isClosed()) {
      long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - readNanos);
      if (isCut) {
        wait();
      } else if (passed < delayMillis) {
        wait(delayMillis - passed);
      } else {
        return;
      }
    }
  }

  @Override
  protected void carry(Socket source, Socket target, int from, int to) {
    start("wide-link-" + from + "-" + to, () -> relay(source, target));
  }

  private void relay(Socket source, Socket target) throws InterruptedException {
    byte[] buffer = new byte[CHUNK_BYTES];
    try (InputStream in = source.getInputStream();
        OutputStream out = target.getOutputStream()) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        byte[] chunk = Arrays.copyOf(buffer, count);
        awaitPassage(System.nanoTime());
        out.write(chunk);
      }
    } catch (IOException broken) {
      // The end of a connection; both sides learn it below.
    } finally {
      close(source);
      close(target);
    }
  }

  @Override
  public void close() {
    super.close();
    mend();
  }
}
