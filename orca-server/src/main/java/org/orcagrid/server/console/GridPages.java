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
import org.orcagrid.node.GridPicture;
import org.orcagrid.server.web.PageServer;

/** The pages of a grid, on a server of pages. */
final class GridPages {
  /** Where the page is; its data are below. */
  static final String PATH = "/grid";

  private GridPages() {}

  /**
   * What the page shows.
   *
   * @param nowMillis the wall clock's time where the page comes from
   * @param self where the node of that process listens
   * @param grid the grid as that node sees it
   */
  record Shown(long nowMillis, String self, GridPicture grid) {}

  /** Adds them, for a grid that {@code source} shows. */
  static PageServer add(PageServer pages, String self, PageServer.Source<GridPicture> source)
      throws IOException {
    return pages
        .file(PATH, GridPages.class, "grid.html")
        .file("/grid.js", GridPages.class, "grid.js")
        .json(
            PATH + "/state",
            query -> new Shown(System.currentTimeMillis(), self, source.get(query)));
  }
}
