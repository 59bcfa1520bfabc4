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
package org.orcagrid.client;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import org.orcagrid.transport.tcp.PortSecurity;

/**
 * The settings of a client as they are written, {@code grid.…=…}, with the names that {@code
 * grid.cfg} has for the same.
 *
 * <ul>
 *   <li>{@code grid.nodes}: where some of the grid's nodes listen, {@code host:7100,host:7101}
 *   <li>{@code grid.name}: the grid's name; {@code grid} unless it is said
 *   <li>{@code grid.secret.file} and {@code grid.tls.…}: as for nodes
 * </ul>
 */
public final class ClientConfig {
  /** All names of settings. */
  public static final List<String> NAMES = names();

  private static final String NODES = "grid.nodes";
  private static final String NAME = "grid.name";

  private ClientConfig() {}

  private static List<String> names() {
    List<String> names = new ArrayList<>(PortSecurity.NAMES);
    names.remove("grid.clients");
    names.addAll(List.of(NODES, NAME));
    Collections.sort(names);
    return List.copyOf(names);
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if something in it is missing, unknown or wrong, saying what
   */
  public static RemoteGrid.Settings read(Path file) throws IOException {
    return read(file, null);
  }

  /**
   * Reads a file, but for the addresses of the nodes.
   *
   * @param nodes as {@code grid.nodes}, instead of the file's; null for the file's
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if something is missing, unknown or wrong, saying what
   */
  public static RemoteGrid.Settings read(Path file, String nodes) throws IOException {
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      lines.load(reader);
    }
    if (nodes != null) {
      lines.setProperty(NODES, nodes);
    }
    try {
      return of(lines);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Takes the settings out of properties, of which none may have another name.
   *
   * @throws IllegalArgumentException if something is missing, unknown or wrong, saying what
   */
  public static RemoteGrid.Settings of(Properties given) {
    for (String name : new TreeSet<>(given.stringPropertyNames())) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "A client has no setting " + name + "; it has " + String.join(", ", NAMES));
      }
    }
    String nodes = given.getProperty(NODES, "").trim();
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException(
          NODES + " is missing; say where nodes listen, as in " + NODES + "=host:7100,host:7101");
    }
    RemoteGrid.Settings usual = RemoteGrid.Settings.of(nodes);
    PortSecurity security = PortSecurity.of(given);
    return new RemoteGrid.Settings(
        usual.nodes(),
        given.getProperty(NAME, usual.gridName()).trim(),
        security.tls(),
        usual.connectTimeout(),
        security.secretFile());
  }
}
