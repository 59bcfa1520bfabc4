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
import java.io.Reader;
import java.net.InetSocketAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * What the commands must know of a zoo.cfg to find its server: no more, so that a server can be
 * stopped although a key that only the server understands has become invalid since it started. The
 * server itself validates everything.
 *
 * @param file the zoo.cfg, absolute
 * @param dataDir where the server keeps its snapshots, absolute
 * @param dataLogDir where it keeps its log, absolute; {@code dataDir} unless it is set
 * @param client where clients connect in the clear, if they can
 * @param secureClient where clients connect with TLS, if they can
 * @param autoCreate whether a missing data folder may be created
 * @param myId the content of the file myid in the data folder, if there is one
 * @param self this server's own line {@code server.N}, if it has one
 * @param servers how many {@code server.N} lines there are
 * @param admin where AdminServer listens, if it does
 */
record ZooCfg(
    Path file,
    Path dataDir,
    Path dataLogDir,
    Optional<InetSocketAddress> client,
    Optional<InetSocketAddress> secureClient,
    boolean autoCreate,
    Optional<String> myId,
    Optional<ServerLine> self,
    int servers,
    Optional<InetSocketAddress> admin) {
  /** ZooKeeper's default. */
  private static final String ADMIN_PORT_DEFAULT = "8080";

  private static final String GIVE = "give the path of a zoo.cfg";

  static ZooCfg read(Path path) throws CommandFailure {
    Path file = path.toAbsolutePath().normalize();
    Optional<Path> dynamic = dynamicFile(file);
    while (true) {
      try {
        return of(file);
      } catch (CommandFailure e) {
        // A server that follows a reconfiguration replaces the one file and then the other.
        Optional<Path> next = dynamicFile(file);
        if (next.equals(dynamic)) {
          throw e;
        }
        dynamic = next;
      }
    }
  }

  /** Where it has its servers, if that is not in the file itself. */
  static Optional<Path> dynamicFile(Path zooCfg) throws CommandFailure {
    return DynamicConfig.file(zooCfg, load(zooCfg, GIVE));
  }

  private static ZooCfg of(Path file) throws CommandFailure {
    Properties properties = load(file, GIVE);
    String dataDir = value(properties, "dataDir");
    if (dataDir == null) {
      throw new CommandFailure(
          "No dataDir in " + file + "; add a line such as dataDir=/var/lib/orca.");
    }
    Path data = Path.of(dataDir).toAbsolutePath().normalize();
    String logDir = value(properties, "dataLogDir");
    Map<String, ServerLine> lines = serverLines(file, properties);
    Optional<String> myId = readMyId(data);
    Optional<ServerLine> self = myId.map(lines::get);
    Optional<InetSocketAddress> client = address(file, properties, "clientPort");
    if (client.isEmpty()) {
      client = self.flatMap(ServerLine::client);
    }
    return new ZooCfg(
        file,
        data,
        logDir == null ? data : Path.of(logDir).toAbsolutePath().normalize(),
        client,
        address(file, properties, "secureClientPort"),
        autoCreate(properties),
        myId,
        self,
        lines.size(),
        admin(file, properties));
  }

  /** Returns the address at which this server's clients arrive, clear text preferred. */
  InetSocketAddress anyClientAddress() throws CommandFailure {
    return client
        .or(() -> secureClient)
        .orElseThrow(
            () ->
                new CommandFailure(
                    "No client port in "
                        + file
                        + "; add a line such as clientPort=2181, or secureClientPort for TLS."));
  }

  /** Fails at a value that ZooKeeper would reject without saying which key it belongs to. */
  void requireNumbers() throws CommandFailure {
    NumericKeys.check(file, properties());
  }

  /** Returns all lines of the file. */
  Properties properties() throws CommandFailure {
    return load(file, GIVE);
  }

  /** Fails if the data folder lacks what the server needs to find there. */
  void requireDataDir() throws CommandFailure {
    if (!autoCreate && !Files.isDirectory(dataDir)) {
      throw new CommandFailure(
          "There is no data folder "
              + dataDir
              + " and datadir.autocreate=false; mount it or create it.");
    }
    if (servers > 1 && self.isEmpty()) {
      Path file = dataDir.resolve("myid");
      throw new CommandFailure(
          myId.map(id -> file + " says " + id + ", but there is no server." + id)
                  .orElse("There is no " + file + " to tell which server.N this is")
              + " in "
              + this.file
              + "; write the number of this server's line into myid.");
    }
  }

  /** Stock ZooKeeper's switch for machines where a missing folder means a missing mount. */
  private static boolean autoCreate(Properties properties) {
    String inFile = value(properties, "datadir.autocreate");
    String set =
        inFile == null ? System.getProperty("zookeeper.datadir.autocreate", "true") : inFile;
    return Boolean.parseBoolean(set);
  }

  private static Properties load(Path file, String fix) throws CommandFailure {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
      return properties;
    } catch (NoSuchFileException e) {
      throw new CommandFailure("There is no file " + file + "; " + fix + ".", e);
    } catch (AccessDeniedException e) {
      throw new CommandFailure(
          "No permission to read " + file + "; run as its owner or chmod it.", e);
    } catch (CharacterCodingException | IllegalArgumentException e) {
      throw new CommandFailure(file + " is not a text file of key=value lines; " + fix + ".", e);
    } catch (IOException e) {
      String reason = Files.isDirectory(file) ? "it is a folder" : e.getMessage();
      throw new CommandFailure("Cannot read " + file + " (" + reason + "); " + fix + ".", e);
    }
  }

  private static Map<String, ServerLine> serverLines(Path file, Properties properties)
      throws CommandFailure {
    Optional<Path> dynamic = DynamicConfig.file(file, properties);
    Properties source =
        dynamic.isEmpty()
            ? properties
            : load(dynamic.get(), "correct dynamicConfigFile in " + file);
    Map<String, ServerLine> lines = new LinkedHashMap<>();
    for (String key : source.stringPropertyNames()) {
      if (key.startsWith("server.")) {
        lines.put(
            key.substring("server.".length()).trim(),
            ServerLine.parse(file, key, source.getProperty(key)));
      }
    }
    return lines;
  }

  private static Optional<String> readMyId(Path dataDir) throws CommandFailure {
    Path file = dataDir.resolve("myid");
    try {
      return Files.isRegularFile(file)
          ? Optional.of(Files.readString(file).strip())
          : Optional.empty();
    } catch (IOException e) {
      throw new CommandFailure(
          "Cannot read " + file + " (" + e.getMessage() + "); make it readable.", e);
    }
  }

  private static Optional<InetSocketAddress> address(Path file, Properties properties, String key)
      throws CommandFailure {
    String port = value(properties, key);
    if (port == null) {
      return Optional.empty();
    }
    String host = value(properties, key + "Address");
    return Optional.of(Addresses.of(file, key, host, port));
  }

  /** The file's line; without one, the system property that ZooKeeper reads. */
  private static Optional<InetSocketAddress> admin(Path file, Properties properties)
      throws CommandFailure {
    if ("false".equals(setting(properties, "admin.enableServer", "true"))) {
      return Optional.empty();
    }
    String host = setting(properties, "admin.serverAddress", "0.0.0.0");
    String port = setting(properties, "admin.serverPort", ADMIN_PORT_DEFAULT);
    // ZooKeeper takes any free port for 0, and then there is nothing to check or to show.
    return port.equals("0")
        ? Optional.empty()
        : Optional.of(Addresses.of(file, "admin.serverPort", host, port));
  }

  private static String setting(Properties properties, String key, String otherwise) {
    String inFile = value(properties, key);
    return inFile == null ? System.getProperty("zookeeper." + key, otherwise).trim() : inFile;
  }

  /** Returns the port of AdminServer; 0 when it is off. */
  int adminPort() {
    return admin.map(InetSocketAddress::getPort).orElse(0);
  }

  private static String value(Properties properties, String key) {
    String value = properties.getProperty(key);
    return value == null || value.isBlank() ? null : value.trim();
  }
}
