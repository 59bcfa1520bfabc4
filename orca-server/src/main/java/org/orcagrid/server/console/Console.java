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
import org.orcagrid.node.GridPicture;
import org.orcagrid.server.web.PageServer;

/**
 * Serves the console of a server, of a grid, or of both until it is closed. It shows, and changes
 * nothing.
 */
public final class Console implements AutoCloseable {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final PageServer pages;

  /** What is closed with it; null for nothing. */
  private final GridWatch grid;

  private Console(PageServer pages, GridWatch grid) {
    this.pages = pages;
    this.grid = grid;
  }

  /**
   * Starts that of a server.
   *
   * @param grid that of the node which the server hosts, closed with it; null for none
   * @throws IOException if the port is taken
   */
  public static Console ofServer(InetSocketAddress address, ConsoleView view, GridWatch grid)
      throws IOException {
    return start(
        address,
        grid,
        pages -> {
          pages
              .file("/", Console.class, "console.html")
              .file("/console.js", Console.class, "console.js")
              .json("/state", query -> ConsoleState.of(view, grid != null))
              .text("/metrics", PROMETHEUS, query -> PrometheusText.of(view));
          if (grid != null) {
            GridPages.add(pages, grid.address(), query -> grid.picture());
          }
        });
  }

  /**
   * Starts that of a grid, for a node that no server hosts.
   *
   * @param grid closed with it
   * @throws IOException if the port is taken
   */
  public static Console ofGrid(InetSocketAddress address, GridWatch grid) throws IOException {
    return start(address, grid, pages -> addGrid(pages, grid.address(), query -> grid.picture()));
  }

  /**
   * Starts one that shows any grid.
   *
   * @param self where the node of this process listens
   * @throws IOException if the port is taken
   */
  public static Console ofGrid(
      InetSocketAddress address, String self, PageServer.Source<GridPicture> source)
      throws IOException {
    return start(address, null, pages -> addGrid(pages, self, source));
  }

  private static void addGrid(PageServer pages, String self, PageServer.Source<GridPicture> source)
      throws IOException {
    GridPages.add(pages.file("/", GridPages.class, "grid.html"), self, source);
  }

  /** Adds what is to be seen. */
  @FunctionalInterface
  private interface Contents {
    void addTo(PageServer pages) throws IOException;
  }

  private static Console start(InetSocketAddress address, GridWatch grid, Contents contents)
      throws IOException {
    PageServer pages = PageServer.on(address);
    try {
      pages
          .file("/console.css", Console.class, "console.css")
          .file("/page.js", Console.class, "page.js")
          .library("lit-html", "lit-html.js")
          .library("picocss__pico", "css/pico.min.css");
      contents.addTo(pages);
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
