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
package org.orcagrid.server.console;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.orcagrid.server.web.PageServer;

/** Serves the console of one server until it is closed. It shows, and changes nothing. */
public final class Console implements AutoCloseable {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final PageServer pages;

  /** Null if the server hosts no node of a grid. */
  private final GridWatch grid;

  private Console(PageServer pages, GridWatch grid) {
    this.pages = pages;
    this.grid = grid;
  }

  /**
   * Starts it.
   *
   * @param grid that of the node which the server hosts, closed with it; null for none
   * @throws IOException if the port is taken
   */
  public static Console start(InetSocketAddress address, ConsoleView view, GridWatch grid)
      throws IOException {
    PageServer pages = PageServer.on(address);
    try {
      GridPages.addShared(pages)
          .file("/", Console.class, "console.html")
          .file("/console.js", Console.class, "console.js")
          .json("/state", query -> ConsoleState.of(view, grid != null))
          .text("/metrics", PROMETHEUS, query -> PrometheusText.of(view));
      if (grid != null) {
        GridPages.add(pages, grid.address(), query -> grid.picture());
      }
      return new Console(pages.start(), grid);
    } catch (IOException | RuntimeException e) {
      pages.close();
      throw e;
    }
  }

  /** Returns the port at which it listens. */
  public int port() {
    return pages.port();
  }

  @Override
  public void close() {
    pages.close();
    if (grid != null) {
      grid.close();
    }
  }
}
