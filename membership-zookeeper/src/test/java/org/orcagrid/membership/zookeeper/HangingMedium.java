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
package org.orcagrid.membership.zookeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.orcagrid.ddp.durable.DurableMedium;

/** A medium whose appends wait when a test wants it so, as on a device that hangs. */
final class HangingMedium implements DurableMedium {
  private final DurableMedium medium;
  private final AtomicReference<Hang> next;

  /** For how long the next append waits, if it is not let go before. */
  record Hang(long nanos, CountDownLatch reached, CountDownLatch over) {
    Hang(long nanos) {
      this(nanos, new CountDownLatch(1), new CountDownLatch(1));
    }
  }

  /**
   * A medium like another one.
   *
   * @param next has a hang for the next append, or null
   */
  HangingMedium(DurableMedium medium, AtomicReference<Hang> next) {
    this.medium = medium;
    this.next = next;
  }

  @Override
  public long append(ByteBuffer record) {
    Hang hang = next.getAndSet(null);
    if (hang != null) {
      hang.reached().countDown();
      boolean letGo;
      try {
        letGo = hang.over().await(hang.nanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (!letGo) {
        hang.over().countDown();
      }
    }
    return medium.append(record);
  }

  @Override
  public int recordBytesMax() {
    return medium.recordBytesMax();
  }

  @Override
  public void force() {
    medium.force();
  }

  @Override
  public long durable() {
    return medium.durable();
  }

  @Override
  public void onProgress(Runnable listener) {
    medium.onProgress(listener);
  }

  @Override
  public Throwable failure() {
    return medium.failure();
  }

  @Override
  public void replay(Replay replay) throws IOException {
    medium.replay(replay);
  }

  @Override
  public void trim(long position) {
    medium.trim(position);
  }

  @Override
  public long bytes() {
    return medium.bytes();
  }

  @Override
  public void close() throws IOException {
    medium.close();
  }
}
