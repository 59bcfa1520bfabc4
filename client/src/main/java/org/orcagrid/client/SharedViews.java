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
package org.orcagrid.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.SessionHost;

/**
 * The keys that the views of a grid share, and others once those have ended. Classes that host a
 * node use it; programs call {@link Grid#view}. Safe for use by many threads.
 */
public final class SharedViews {
  private final Function<SharedViews, SharedKeys> opening;

  /** Not a monitor: it is held while a node is waited for. */
  private final ReentrantLock lock = new ReentrantLock();

  /** With the lock; null before it is asked for. */
  private SharedKeys keys;

  private volatile int sessionsMax = SharedKeys.SESSIONS;

  /** Of keys that are opened when they are asked for. */
  SharedViews(Function<SharedViews, SharedKeys> opening) {
    this.opening = opening;
  }

  /** Of the keys of a node in this process. */
  public static SharedViews of(SessionHost node, Deadlines deadlines) {
    return new SharedViews(
        views -> {
          SharedKeys.Source source =
              views.source(() -> atOnce(node), node.valueBytesMax(), deadlines);
          return SharedKeys.open(source, node.openSession());
        });
  }

  private static CompletionStage<NodeSession> atOnce(SessionHost node) {
    try {
      return CompletableFuture.completedFuture(node.openSession());
    } catch (IllegalStateException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Opens sessions. */
  interface Opening {
    CompletionStage<? extends NodeSession> open();
  }

  SharedKeys.Source source(Opening opens, int valueBytesMax, Deadlines deadlines) {
    return new SharedKeys.Source() {
      @Override
      public CompletionStage<? extends NodeSession> open() {
        return opens.open();
      }

      @Override
      public int sessionsMax() {
        return sessionsMax;
      }

      @Override
      public int valueBytesMax() {
        return valueBytesMax;
      }

      @Override
      public Deadlines deadlines() {
        return deadlines;
      }
    };
  }

  /**
   * How many sessions they share at most, from now on.
   *
   * @throws IllegalArgumentException unless it is 1 to 64
   */
  public void sessionsMax(int most) {
    if (most < 1 || most > SharedKeys.SESSIONS_MAX) {
      throw new IllegalArgumentException(
          "The views of a grid share 1 to " + SharedKeys.SESSIONS_MAX + " sessions, not " + most);
    }
    sessionsMax = most;
  }

  /** As {@link Grid#view} says. */
  public <K, V> KeyView<K, V> view(Codec<K> keyCodec, Codec<V> values) {
    return new SharedView<>(keys(), keyCodec, values, Waiting.USUAL);
  }

  private SharedKeys keys() {
    lock.lock();
    try {
      if (keys == null || keys.isEnded()) {
        keys = opening.apply(this);
      }
      return keys;
    } finally {
      lock.unlock();
    }
  }
}
