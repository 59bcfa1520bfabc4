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
package org.orcagrid.server.settings;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.orcagrid.node.GridConfig;
import org.orcagrid.node.NodeSettings;

/**
 * The node of the grid that a server hosts.
 *
 * @param lines its settings, by their names in {@code grid.cfg}
 */
public record HostedGrid(Map<String, String> lines) {
  private static final String ADDRESS = "grid.address";
  private static final String ENSEMBLE = "grid.ensemble";

  /** What may follow {@code orca.} in zoo.cfg, beside where the node listens. */
  static final Set<String> NAMES = names();

  private static Set<String> names() {
    Set<String> names = new TreeSet<>(GridConfig.NAMES);
    // The first is what orca.grid says, the second is the server's own ensemble.
    names.remove(ADDRESS);
    names.remove(ENSEMBLE);
    // The server's own console shows the grid.
    names.remove(GridConfig.CONSOLE_PORT);
    names.remove(GridConfig.CONSOLE_ADDRESS);
    return Set.copyOf(names);
  }

  /** Refuses lines that make no node. */
  public HostedGrid {
    lines = Map.copyOf(lines);
    some(lines);
  }

  /** The node's settings but for what the server knows. */
  private static NodeSettings some(Map<String, String> lines) {
    return settings(lines, "localhost:1", 1, Path.of("grid"));
  }

  /** Whether its address is one of this host only, or whoever connects has to prove something. */
  boolean mayListen() {
    NodeSettings settings = some(lines);
    return settings.links().security().permits(settings.home().address());
  }

  /**
   * The node that listens at an address.
   *
   * @param all of which the lines named in {@link #NAMES} are the node's
   */
  static HostedGrid of(String address, Properties all) {
    Map<String, String> lines = new TreeMap<>();
    lines.put(ADDRESS, address);
    for (String name : NAMES) {
      String value = all.getProperty(name);
      if (value != null) {
        lines.put(name, value);
      }
    }
    return new HostedGrid(lines);
  }

  /**
   * The node's settings.
   *
   * @param ensemble host:port of the server's
   * @param size how many nodes the grid has unless the lines say so
   * @param folder where its maps are unless the lines say so
   */
  public NodeSettings settings(String ensemble, int size, Path folder) {
    return settings(lines, ensemble, size, folder);
  }

  private static NodeSettings settings(
      Map<String, String> lines, String ensemble, int size, Path folder) {
    Properties all = new Properties();
    all.setProperty(ENSEMBLE, ensemble);
    all.setProperty("grid.size", Integer.toString(size));
    all.setProperty("grid.folder", folder.toString());
    all.putAll(lines);
    return GridConfig.of(all);
  }

  /** Where it listens. */
  public String address() {
    return lines.get(ADDRESS);
  }

  /** What may be told of a line; passwords are not. */
  Map<String, String> shown() {
    Map<String, String> shown = new TreeMap<>(lines);
    shown.keySet().removeIf(name -> name.endsWith("password"));
    return shown;
  }

  @Override
  public String toString() {
    return "HostedGrid" + shown();
  }
}
