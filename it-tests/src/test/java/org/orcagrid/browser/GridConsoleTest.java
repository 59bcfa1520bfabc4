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
package org.orcagrid.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.GridProcesses;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.grid.Ports;
import org.orcagrid.needs.Needs;
import org.orcagrid.node.GridPicture;
import org.orcagrid.node.GridPicture.Condition;
import org.orcagrid.node.GridPicture.MapLine;
import org.orcagrid.node.GridPicture.NodeLine;
import org.orcagrid.node.GridPicture.Part;
import org.orcagrid.server.console.Console;

/** The page of a grid, in a browser. */
@Needs(Chromium.class)
@Timeout(240)
class GridConsoleTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path dir;

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void theNodesAndMapsOfTwoProcessesAreShownAndTheOneThatIsKilled() throws Exception {
    int port = freePort();
    String address = "http://127.0.0.1:" + port + "/";
    try (GridProcesses grid =
        GridProcesses.start(
            dir.resolve("nodes"),
            2,
            Ports.base(),
            Map.of("grid.value.bytes", "1000", "orca.consolePort", Integer.toString(port)),
            LIMIT)) {
      try (RemoteGrid client = Grid.connect(grid.clients())) {
        AtomicGridMap<String, Long> stock =
            client.atomicMap(
                "stock", Codec.STRING, Codec.LONG, Ddp.parse("linearizable/synchronous"));
        for (int item = 0; item < 25; item++) {
          stock.put("item" + item, 1L);
        }
      }
      String second = grid.clients().split(",")[1];
      try (Browser browser = Browser.open(address, dir.resolve("profile"))) {
        browser.await("#togrid", LIMIT, text -> text.equals("the grid"));
        browser.click("#togrid");
        browser.await("#maps [data-map='stock'] td:nth-child(3)", LIMIT, "25"::equals);
        browser.await("#maps [data-map='stock'] td:nth-child(5)", LIMIT, "2 nodes"::equals);
        browser.await("#nodes [data-node='" + second + "'] .yes", LIMIT, "serves"::equals);
        browser.await(
            "#leases [data-node='" + second + "'] td:nth-child(4)",
            LIMIT,
            text -> text.endsWith(" ms"));
        browser.picture("grid");
        browser.assertNothingCameFromElsewhere(address);

        grid.kill(2);
        browser.await(
            "#nodes [data-node='" + second + "'] td:last-child",
            LIMIT,
            text -> text.startsWith("does not answer: "));
        browser.await("#nodes [data-node='" + second + "'] td:nth-child(3)", LIMIT, "away"::equals);

        grid.kill(1);
        browser.await("body.lost", LIMIT, text -> true);
        assertEquals(2, browser.textsOf("#nodes tbody tr").size(), "what was known stays");
      }
    }
  }

  @Test
  void whateverIsShownIsTextAndNoMarkup() throws Exception {
    String evil = "<b id=evil>\"'&amp;</b><img src=x onerror=\"document.title='evil'\">";
    NodeLine node = new NodeLine(0, evil, Condition.SERVES, 1, 1, 1, evil, null);
    MapLine map =
        new MapLine(
            evil, evil, 1, 1, 2, 3, 4, 5, 6, 7, List.of(new Part(0, evil, true, 1, 2, 3, 4, 5)));
    AtomicReference<GridPicture> shown =
        new AtomicReference<>(new GridPicture(evil, 1, List.of(node), List.of(map), 0));
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Console console = Console.ofGrid(any, evil, query -> shown.get());
        Browser browser =
            Browser.open("http://127.0.0.1:" + console.port() + "/", dir.resolve("profile"))) {
      browser.await("#grid", LIMIT, evil::equals);
      browser.await("#nodes tbody td:nth-child(2)", LIMIT, text -> text.startsWith(evil));
      browser.await("#nodes tbody td:last-child", LIMIT, text -> text.endsWith(evil));
      browser.await("#maps tbody th", LIMIT, evil::equals);
      assertEquals(List.of(), browser.textsOf("#evil"));
      assertEquals(List.of(), browser.textsOf("#page img"));
      assertTrue(browser.title().startsWith("Orca Grid"), browser.title());

      shown.set(new GridPicture("next", 2, List.of(), List.of(), 0));
      browser.await("#grid", LIMIT, "next"::equals);
      browser.await("#nomaps", LIMIT, text -> !text.isBlank());
    }
  }
}
