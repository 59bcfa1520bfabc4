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

/** Puts what happens to a node's links into the log. Safe for use by many threads. */
public final class LinkLog implements LinkListener {
  private static final System.Logger LOG = System.getLogger(LinkLog.class.getName());

  private volatile String lastRefusal;

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
    LOG.log(Level.INFO, "Worker {0} is connected to node {1}", worker, peer);
  }

  @Override
  public void onDown(int peer, int worker, String reason) {
    if (peer < 0) {
      LOG.log(Level.DEBUG, "A client has gone: {0}", reason);
    } else {
      LOG.log(Level.WARNING, "Worker {0} has lost node {1}: {2}", worker, peer, reason);
    }
  }

  @Override
  public void onRefused(String address, String reason) {
    lastRefusal = address + ": " + reason;
    LOG.log(Level.WARNING, "{0}: {1}", address, reason);
  }
}
