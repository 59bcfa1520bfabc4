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
package org.orcagrid.transport.tcp;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Puts what happens to a node's links into the log. A node that comes or goes is one line, though
 * each worker has a link to it: one when the first link is there or is lost, and one when all that
 * were lost are back. Safe for use by many threads.
 */
public final class LinkLog implements LinkListener {
  private static final System.Logger LOG = System.getLogger(LinkLog.class.getName());

  private volatile String lastRefusal;

  /** The workers whose links are lost, by peer; none of a peer that was never connected. */
  private final Map<Integer, Set<Integer>> lost = new HashMap<>();

  /** Who was refused last, or has refused this node, and why; null if nobody was. */
  public String lastRefusal() {
    return lastRefusal;
  }

  @Override
  public void onTransport(String which) {
    LOG.log(Level.INFO, "The nodes of the grid talk over {0}", which);
  }

  @Override
  public void onUp(int peer, int worker) {
    Level level = isNewsOfUp(peer, worker) ? Level.INFO : Level.DEBUG;
    LOG.log(level, "Connected to node {0}: worker={1}", peer, worker);
  }

  private synchronized boolean isNewsOfUp(int peer, int worker) {
    Set<Integer> before = lost.putIfAbsent(peer, new HashSet<>());
    return before == null || (before.remove(worker) && before.isEmpty());
  }

  @Override
  public void onDown(int peer, int worker, String reason) {
    if (peer < 0) {
      LOG.log(Level.DEBUG, "A client has gone: {0}", reason);
      return;
    }
    Level level = isNewsOfDown(peer, worker) ? Level.WARNING : Level.DEBUG;
    LOG.log(level, "Lost the connection to node {0}: worker={1} reason={2}", peer, worker, reason);
  }

  private synchronized boolean isNewsOfDown(int peer, int worker) {
    Set<Integer> of = lost.computeIfAbsent(peer, unused -> new HashSet<>());
    return of.add(worker) && of.size() == 1;
  }

  @Override
  public void onRefused(String address, String reason) {
    lastRefusal = address + ": " + reason;
    LOG.log(Level.WARNING, "{0}: {1}", address, reason);
  }
}
