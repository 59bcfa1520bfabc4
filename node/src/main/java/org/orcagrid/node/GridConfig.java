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
package org.orcagrid.node;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.membership.LeaseTimes;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TransportChoice;

/** The settings of a node as they are written: {@code grid.…=…}, in grid.cfg or zoo.cfg. */
public final class GridConfig {
  /** Where {@code orca grid run} serves the console; a server that hosts a node has its own. */
  public static final String CONSOLE_PORT = "grid.console.port";

  /** Of which address that port is; this machine's own one unless it is said. */
  public static final String CONSOLE_ADDRESS = "grid.console.address";

  /** All names of settings. */
  public static final Set<String> NAMES = names();

  /** Where a node's maps are, beside its configuration, unless that says so. */
  public static final String FOLDER = "data";

  private GridConfig() {}

  private static Set<String> names() {
    Set<String> names = new TreeSet<>(PortSecurity.NAMES);
    names.addAll(
        List.of(
            "grid.address",
            "grid.bytes",
            "grid.catch-up.bytes-per-second",
            CONSOLE_ADDRESS,
            CONSOLE_PORT,
            "grid.ensemble",
            "grid.folder",
            "grid.journal.bytes",
            "grid.lease.ms",
            "grid.name",
            "grid.sessions",
            "grid.size",
            "grid.transport",
            "grid.value.bytes",
            "grid.workers"));
    return Set.copyOf(names);
  }

  /**
   * Reads a file. Without {@code grid.folder} the node's maps are in {@code data} beside it.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if something in it is missing, unknown or wrong, saying what
   */
  public static NodeSettings read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    }
    properties.putIfAbsent("grid.folder", file.toAbsolutePath().resolveSibling(FOLDER).toString());
    try {
      return of(properties);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Takes the settings out of properties, of which none may have another name.
   *
   * @throws IllegalArgumentException if something is missing, unknown or wrong, saying what
   */
  public static NodeSettings of(Properties given) {
    for (String name : new TreeSet<>(given.stringPropertyNames())) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "There is no setting "
                + name
                + "; there are "
                + String.join(", ", new TreeSet<>(NAMES)));
      }
    }
    NodeSettings.Home home =
        new NodeSettings.Home(
            given.getProperty("grid.name", NodeSettings.GRID).trim(),
            (int) number(given, "grid.size", -1),
            HostPort.parse(required(given, "grid.address")),
            Path.of(required(given, "grid.folder")),
            required(given, "grid.ensemble"));
    NodeSettings usual = NodeSettings.of(home);
    long lease = TimeUnit.NANOSECONDS.toMillis(usual.lease().leaseNanos());
    NodeSettings settings =
        usual
            .withSecurity(PortSecurity.of(given))
            .withTransport(transport(given))
            .withConsole(console(given))
            .withCatchUpBytesPerSecond(
                number(
                    given, "grid.catch-up.bytes-per-second", usual.links().catchUpBytesPerSecond()))
            .withJournals(
                NodeSettings.Journals.logs(
                    number(given, "grid.journal.bytes", usual.journals().bytesMax())))
            .withWorkers((int) number(given, "grid.workers", usual.workers()))
            .withLease(
                LeaseTimes.ofLease(
                    TimeUnit.MILLISECONDS.toNanos(number(given, "grid.lease.ms", lease))))
            .withKeys(keys(given, usual.keys()));
    // What only a start would find wrong: nothing is opened for it.
    settings.sizes(0);
    settings.tcp(0, 0);
    return settings;
  }

  private static KeySettings keys(Properties given, KeySettings usual) {
    return new KeySettings(
        (int) number(given, "grid.sessions", usual.sessions()),
        (int) number(given, "grid.value.bytes", usual.valueBytesMax()),
        number(given, "grid.bytes", usual.bytesMax()));
  }

  private static HostPort console(Properties given) {
    String port = given.getProperty(CONSOLE_PORT);
    if (port == null || port.trim().equals("0")) {
      return null;
    }
    String host = given.getProperty(CONSOLE_ADDRESS, "127.0.0.1").trim();
    try {
      return new HostPort(host, Integer.parseInt(port.trim()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(CONSOLE_PORT + " is a number, not " + port, e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(CONSOLE_PORT + ": " + e.getMessage(), e);
    }
  }

  private static TransportChoice transport(Properties given) {
    String text = given.getProperty("grid.transport");
    try {
      return text == null ? TransportChoice.TCP : TransportChoice.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("grid.transport: " + e.getMessage(), e);
    }
  }

  private static String required(Properties given, String name) {
    String text = given.getProperty(name);
    if (text == null || text.isBlank()) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return text.trim();
  }

  private static long number(Properties given, String name, long otherwise) {
    if (given.getProperty(name) == null && otherwise >= 0) {
      return otherwise;
    }
    String text = required(given, name);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is a number, not " + text, e);
    }
  }
}
