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
package org.orcagrid.grid;

import java.io.IOException;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.ForwardingViews;
import org.orcagrid.ddp.map.Views;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.node.GridMember;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.LinkListener;

/**
 * The node of a process of {@link MapLoad}: it joins again when it has failed, and when it could
 * not be started because the ensemble was away, as a hosted node does.
 */
final class LoadedNode implements AutoCloseable {
  private static final long RETRY_MILLIS = 500;
  private static final long LOOK_MILLIS = 10;

  private final NodeSettings settings;
  private final LedgerFile ledger;
  private final Thread thread = new Thread(this::host, "host");
  private volatile Life life;

  private LoadedNode(NodeSettings settings, LedgerFile ledger) {
    this.settings = settings;
    this.ledger = ledger;
  }

  static LoadedNode start(NodeSettings settings, LedgerFile ledger) {
    LoadedNode node = new LoadedNode(settings, ledger);
    node.thread.setDaemon(true);
    node.thread.start();
    return node;
  }

  /** A node, and what it is told of before it knows. */
  private record Life(Node node, Told told) {}

  /** Hears of each view before the node does. */
  private static final class Told extends ForwardingViews {
    private volatile int memorySince;

    Told(Views agreed) {
      super(agreed);
    }

    @Override
    protected void beforeView(AgreedView view) {
      memorySince = view.nodes().memorySince();
    }
  }

  private void host() {
    try {
      while (true) {
        live();
        TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      }
    } catch (InterruptedException e) {
      // close() wants this thread to end.
      life = null;
    }
  }

  private void live() throws InterruptedException {
    CompletableFuture<Void> failed = new CompletableFuture<>();
    try {
      Told told = new Told(settings.membership());
      try (GridMember member =
          GridMember.start(
              settings, told, LinkListener.NONE, failed::completeExceptionally, WallClock.NONE)) {
        life = new Life(member.node(), told);
        failed.get();
      } finally {
        life = null;
      }
    } catch (IOException e) {
      ledger.write("WAITS " + MapLoad.now() + " " + e.getMessage());
    } catch (ExecutionException e) {
      // No fault of these tests may end a node, so the judge will not have it.
      ledger.write("FAILED " + e.getCause());
    } catch (RuntimeException e) {
      ledger.write("FAILED to start: " + e);
    }
  }

  /** The node; waits for it. */
  Node await() throws InterruptedException {
    Life now = life;
    while (now == null) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      now = life;
    }
    return now.node();
  }

  /**
   * The view in which the memory began whose keys the node serves. Empty if it serves none, or
   * turns to another memory right now: if it is the same before and after a session was opened, the
   * session is one of this memory.
   */
  OptionalInt memory(Node node) {
    Life now = life;
    if (now == null || now.node() != node || !node.keysServe()) {
      return OptionalInt.empty();
    }
    AgreedView view = node.maps().view();
    int next = now.told().memorySince;
    return view == null || view.nodes().memorySince() != next
        ? OptionalInt.empty()
        : OptionalInt.of(next);
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }
}
