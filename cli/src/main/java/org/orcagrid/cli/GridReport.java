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
package org.orcagrid.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.orcagrid.node.GridPicture;
import org.orcagrid.node.GridPicture.MapLine;
import org.orcagrid.node.GridPicture.NodeLine;
import org.orcagrid.node.GridPicture.Said;
import org.orcagrid.node.GridSurvey;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.node.NodeState;
import org.orcagrid.transport.tcp.HostPort;

/** What the console shows of a grid, as text: for each node some cells, and a table of maps. */
final class GridReport {
  static final List<String> HEAD = List.of("place", "view", "lease", "clients", "sessions", "slow");

  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final String UNKNOWN = "-";
  private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB"};
  private static final int UNIT = 1024;

  private final GridPicture picture;

  private GridReport(GridPicture picture) {
    this.picture = picture;
  }

  /** Asks the nodes that run, all with the same settings of security. */
  static GridReport of(List<GridNode> nodes) throws CommandFailure, InterruptedException {
    return new GridReport(picture(nodes));
  }

  private static GridPicture picture(List<GridNode> nodes)
      throws CommandFailure, InterruptedException {
    List<HostPort> running = new ArrayList<>();
    for (GridNode node : nodes) {
      if (node.running().isPresent()) {
        running.add(node.settings().home().address());
      }
    }
    NodeSettings first = nodes.get(0).settings();
    try (GridSurvey survey = new GridSurvey(first.home().grid(), first.links().security())) {
      return GridPicture.of(survey.ask(running, LIMIT));
    } catch (IOException e) {
      // A secret or a certificate cannot be read: the probe says so of each node.
      return GridPicture.of(List.of());
    }
  }

  /** The cells of a node. */
  List<String> cells(GridNode node) {
    String address = node.settings().home().address().toString();
    Optional<NodeLine> line =
        picture.nodes().stream().filter(each -> each.address().equals(address)).findFirst();
    Said said = line.map(NodeLine::said).orElse(null);
    if (said == null) {
      return List.of(
          line.filter(each -> each.place() >= 0)
              .map(each -> Integer.toString(each.place()))
              .orElse(UNKNOWN),
          UNKNOWN,
          UNKNOWN,
          UNKNOWN,
          UNKNOWN,
          UNKNOWN);
    }
    NodeState.Self self = said.self();
    return List.of(
        Integer.toString(self.place()),
        Integer.toString(self.inView()),
        self.leaseMillis() == NodeState.Self.ALONE ? UNKNOWN : self.leaseMillis() + " ms",
        Integer.toString(said.counts().clients()),
        Integer.toString(said.keys().sessions()),
        said.keys().slowReleases() + "/" + said.keys().slowPaths());
  }

  /** The maps, as far as nodes have told of them; empty if there are none. */
  String maps() {
    if (picture.maps().isEmpty()) {
      return "";
    }
    TextTable table =
        new TextTable(
            List.of("map", "model", "entries", "memory", "nodes", "not durable", "not at others"));
    for (MapLine map : picture.maps()) {
      table.add(
          List.of(
              map.name(),
              map.model(),
              Integer.toString(map.entries()),
              bytes(map.bytes()),
              map.copies() + " of " + map.homes(),
              Long.toString(map.undurable()),
              Integer.toString(map.unacknowledged())));
    }
    String more =
        picture.mapsLeftOut() == 0 ? "" : picture.mapsLeftOut() + " maps more are not shown.\n";
    return "\n" + table + more;
  }

  static String bytes(long count) {
    double shown = count;
    int unit = 0;
    while (shown >= UNIT && unit < UNITS.length - 1) {
      shown /= UNIT;
      unit++;
    }
    return unit == 0
        ? count + " " + UNITS[0]
        : String.format(Locale.ROOT, "%.1f %s", shown, UNITS[unit]);
  }
}
