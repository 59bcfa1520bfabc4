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
 * Serves the console of a grid until it is closed, for a node that no server hosts. It shows, and
 * changes nothing.
 */
public final class GridConsole implements AutoCloseable {
  private final PageServer pages;
  private final GridWatch watch;

  private GridConsole(PageServer pages, GridWatch watch) {
    this.pages = pages;
    this.watch = watch;
  }

  /**
   * Starts it.
   *
   * @param watch closed with it
   * @throws IOException if the port is taken
   */
  public static GridConsole start(InetSocketAddress address, GridWatch watch) throws IOException {
    return new GridConsole(pages(address, watch.address(), query -> watch.picture()), watch);
  }

  /**
   * Starts one that shows any grid.
   *
   * @param self where the node of this process listens
   * @throws IOException if the port is taken
   */
  public static GridConsole start(
      InetSocketAddress address, String self, PageServer.Source<GridPicture> source)
      throws IOException {
    return new GridConsole(pages(address, self, source), null);
  }

  private static PageServer pages(
      InetSocketAddress address, String self, PageServer.Source<GridPicture> source)
      throws IOException {
    PageServer pages = PageServer.on(address);
    try {
      GridPages.addShared(pages).file("/", GridPages.class, "grid.html");
      return GridPages.add(pages, self, source).start();
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
    if (watch != null) {
      watch.close();
    }
  }
}
