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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException;
import org.orcagrid.ddp.map.AgreedView;

/**
 * Agrees on maps: makes the next view in the caller's thread, and tries again when another node's
 * came first.
 */
final class Agreements {
  private static final long AGREED_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE_MILLIS = 20;

  private final GridRegistry registry;
  private final Supplier<AgreedView> newest;
  private final BooleanSupplier closed;
  private final Runnable onChange;

  /**
   * By this registry.
   *
   * @param newest the newest view that is known, null if there is none
   * @param closed whether nothing is to be agreed on any more
   * @param onChange has the registry read
   */
  Agreements(
      GridRegistry registry,
      Supplier<AgreedView> newest,
      BooleanSupplier closed,
      Runnable onChange) {
    this.registry = registry;
    this.newest = newest;
    this.closed = closed;
    this.onChange = onChange;
  }

  /** Tries to agree on something; empty if nobody serves at present. */
  @FunctionalInterface
  interface Agreement<T> {
    Optional<T> attempt(AgreedView view, Consumer<AgreedView> next);
  }

  /**
   * Agrees on something.
   *
   * @throws IOException if that is not done in time, saying what was in the way
   */
  <T> T on(Agreement<T> what) throws IOException, InterruptedException {
    long end = System.nanoTime() + AGREED_NANOS_MAX;
    String inTheWay = "the node was closed";
    while (System.nanoTime() - end < 0 && !closed.getAsBoolean()) {
      try {
        AgreedView view = newest.get();
        boolean isNewest = registry.lastView() == (view == null ? 0 : view.number());
        List<AgreedView> made = new ArrayList<>();
        Optional<T> agreed = isNewest ? what.attempt(view, made::add) : Optional.empty();
        inTheWay =
            isNewest && agreed.isEmpty()
                ? "no node serves yet, or any more"
                : "other nodes' views came first each time";
        if (agreed.isPresent() && (made.isEmpty() || registry.make(view.recordOf(made.get(0))))) {
          onChange.run();
          return agreed.get();
        }
      } catch (KeeperException e) {
        inTheWay = e.getMessage();
      }
      onChange.run();
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
    throw new IOException(registry + " has not agreed on it: " + inTheWay);
  }
}
