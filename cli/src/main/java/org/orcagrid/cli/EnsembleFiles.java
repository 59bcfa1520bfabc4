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
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.orcagrid.membership.zookeeper.EnsembleConfig;

/**
 * The files of an ensemble: a folder per server with its zoo.cfg, its line in the ensemble's
 * configuration, and its myid in its data. Servers that have agreed on a configuration keep it
 * beside their zoo.cfg; it is left as it is.
 */
final class EnsembleFiles {
  /** A server that the ensemble has taken out, or not let in yet, has its ports from here alone. */
  private static final String OWN_LINE = "server.line";

  /** What a zoo.cfg begins with. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "tickTime", "2000",
          "initLimit", "10",
          "syncLimit", "5",
          // All clients come from one address here: a limit per address would be one for all.
          "maxClientCnxns", "0",
          "4lw.commands.whitelist", "srvr,ruok,mntr,stat,conf");

  /** Lines that say where a server is, which {@link #write} finds out each time. */
  private static final Pattern OF_THE_PLACE =
      Pattern.compile(
          "dataDir|clientPort(Address)?|admin\\.(enableServer|server(Address|Port))|server\\..*|"
              + DynamicConfig.KEY);

  private EnsembleFiles() {}

  /**
   * Returns the same ensemble with the lines that each zoo.cfg has, below those that are asked for:
   * what was changed since the first start stays.
   */
  static EnsembleSpec goingOn(EnsembleSpec spec) throws CommandFailure {
    EnsembleSpec all = spec;
    for (EnsembleMember member : read(spec.dir())) {
      Map<String, String> lines = new TreeMap<>();
      // A default that was taken out does not come back.
      DEFAULTS.keySet().forEach(key -> lines.put(key, ""));
      Properties has = ZooCfg.read(member.zooCfg()).properties();
      has.stringPropertyNames().stream()
          .filter(key -> !OF_THE_PLACE.matcher(key).matches())
          .forEach(key -> lines.put(key, has.getProperty(key)));
      lines.keySet().removeAll(spec.settings().keySet());
      lines.keySet().removeAll(spec.settingsOf(member.id()).keySet());
      all = all.withSettingsOf(member.id(), lines);
    }
    return all;
  }

  /** Returns the keys of lines that {@link #goingOn} adds and that are no defaults. */
  static Set<String> kept(EnsembleSpec spec) throws CommandFailure {
    Set<String> kept = new TreeSet<>();
    EnsembleSpec all = goingOn(spec);
    for (int id : all.settingsByServer().keySet()) {
      Map<String, String> lines = new TreeMap<>(all.settingsOf(id));
      lines.keySet().removeAll(spec.settingsOf(id).keySet());
      lines.entrySet().removeAll(DEFAULTS.entrySet());
      kept.addAll(lines.keySet());
    }
    return kept;
  }

  /** Writes what the servers need to start; keeps the data of an ensemble of the same size. */
  static List<EnsembleMember> write(EnsembleSpec spec) throws CommandFailure, IOException {
    List<EnsembleMember> before = read(spec.dir());
    for (EnsembleMember member : before) {
      if (member.runs()) {
        throw new CommandFailure(
            "The ensemble in "
                + spec.dir()
                + " is running; stop it first with 'orca ensemble stop' or choose another --dir.");
      }
    }
    if (!before.isEmpty() && before.size() != spec.servers()) {
      throw new CommandFailure(
          spec.dir()
              + " holds an ensemble of "
              + before.size()
              + " servers; start as many, delete the folder, or choose another --dir.");
    }
    Optional<DynamicConfig> agreed = DynamicConfig.latest(before);
    List<EnsembleMember> members = EnsemblePorts.assign(spec, before, agreed.isPresent());
    // Nothing is written before everything is checked.
    Map<EnsembleMember, String> files = new LinkedHashMap<>();
    for (EnsembleMember member : members) {
      Map<String, String> servers =
          agreed.isPresent()
              ? servers(agreed.get(), member)
              : servers(members, member, spec.routes());
      files.put(member, ZooCfgWriter.text(settings(spec, member, servers)));
    }
    for (EnsembleMember member : members) {
      write(member, files.get(member));
    }
    return members;
  }

  private static void write(EnsembleMember member, String zooCfg) throws IOException {
    Files.createDirectories(member.dataDir());
    Files.writeString(member.dataDir().resolve("myid"), member.id() + "\n");
    Files.writeString(
        member.folder().resolve(OWN_LINE), "server." + member.id() + "=" + member.line() + "\n");
    // Last: with it the server is one of the ensemble's.
    WholeFile.write(member.zooCfg(), zooCfg);
  }

  /**
   * Writes the files of a server that joins an ensemble. It knows the others, and votes once a
   * reconfiguration has added it.
   *
   * @param others those that there are
   * @param settings all lines of its zoo.cfg but what follows from where it is
   */
  static EnsembleMember writeJoining(
      Path dir, int id, List<EnsembleMember> others, Map<String, String> settings)
      throws CommandFailure, IOException {
    EnsembleMember member = EnsemblePorts.joining(dir, id, others);
    Map<String, String> all = new TreeMap<>(settings);
    all.putAll(ownSettings(member));
    all.putAll(serversWith(member, known(others)));
    write(member, ZooCfgWriter.text(all));
    return member;
  }

  /** Lets a server start that the ensemble's configuration does not have, as one that joins. */
  static void readmit(EnsembleMember member, List<EnsembleMember> all)
      throws CommandFailure, IOException {
    Optional<DynamicConfig> own = DynamicConfig.of(member);
    boolean isIn = own.isPresent() && own.get().servers().has(member.id());
    if (isIn || DynamicConfig.latest(all).isEmpty()) {
      return;
    }
    Properties lines = ZooCfg.read(member.zooCfg()).properties();
    Map<String, String> settings = new TreeMap<>();
    lines.stringPropertyNames().forEach(name -> settings.put(name, lines.getProperty(name)));
    settings.remove(DynamicConfig.KEY);
    settings.putAll(ownSettings(member));
    settings.putAll(serversWith(member, known(all)));
    write(member, ZooCfgWriter.text(settings));
  }

  /** The ensemble as some of its servers know it. */
  private static EnsembleConfig known(List<EnsembleMember> servers) throws CommandFailure {
    Optional<DynamicConfig> agreed = DynamicConfig.latest(servers);
    if (agreed.isPresent()) {
      return agreed.get().servers();
    }
    SortedMap<Integer, String> lines = new TreeMap<>();
    servers.forEach(each -> lines.put(each.id(), each.line()));
    return new EnsembleConfig(lines);
  }

  /** The servers in the first zoo.cfg of a member: the ensemble as it is known here, and itself. */
  private static Map<String, String> serversWith(EnsembleMember member, EnsembleConfig agreed) {
    Map<String, String> servers = new TreeMap<>();
    agreed.servers().forEach((id, line) -> servers.put("server." + id, line));
    servers.put("server." + member.id(), member.line());
    return servers;
  }

  /** Returns the servers below {@code dir} by their number; none if there is no ensemble. */
  static List<EnsembleMember> read(Path dir) throws CommandFailure {
    List<EnsembleMember> members = new ArrayList<>();
    for (int id = 1; id <= EnsembleSpec.SERVERS_MAX; id++) {
      Path folder = folder(dir, id);
      // Also behind one whose folder is gone: what runs there must be found.
      if (Files.exists(folder.resolve("zoo.cfg"))) {
        members.add(read(id, folder));
      }
    }
    return members;
  }

  static Path folder(Path dir, int id) {
    return dir.toAbsolutePath().normalize().resolve("server-" + id);
  }

  private static EnsembleMember read(int id, Path folder) throws CommandFailure {
    ZooCfg cfg = ZooCfg.read(folder.resolve("zoo.cfg"));
    Optional<ServerLine> own = cfg.self().isPresent() ? cfg.self() : ownLine(id, folder);
    List<InetSocketAddress> peers = own.map(ServerLine::peers).orElse(List.of());
    // One that was taken out of the ensemble has lost the port for clients, too.
    Optional<InetSocketAddress> client =
        cfg.client().isPresent() ? cfg.client() : own.flatMap(ServerLine::client);
    if (peers.size() != 2 || client.isEmpty()) {
      throw new CommandFailure(
          cfg.file()
              + " is not as 'orca ensemble start' writes it; delete its folder or use"
              + " 'orca server' for it.");
    }
    return new EnsembleMember(
        id,
        folder,
        client.get().getPort(),
        peers.get(0).getPort(),
        peers.get(1).getPort(),
        cfg.adminPort());
  }

  /** Of a server that its zoo.cfg does not have among the ensemble's. */
  private static Optional<ServerLine> ownLine(int id, Path folder) throws CommandFailure {
    Path file = folder.resolve(OWN_LINE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      String line = EnsembleConfig.parse(Files.readAllBytes(file)).servers().get(id);
      return line == null
          ? Optional.empty()
          : Optional.of(ServerLine.parse(file, "server." + id, line));
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns where a browser finds the server's console, if it has one. */
  static Optional<String> console(EnsembleMember member) throws CommandFailure {
    Properties lines = ZooCfg.read(member.zooCfg()).properties();
    String port = lines.getProperty("orca.consolePort", "0").trim();
    String host = lines.getProperty("orca.consoleAddress", "127.0.0.1").trim();
    return port.equals("0")
        ? Optional.empty()
        : Optional.of("http://" + (host.equals("0.0.0.0") ? "127.0.0.1" : host) + ":" + port + "/");
  }

  private static Map<String, String> settings(
      EnsembleSpec spec, EnsembleMember member, Map<String, String> servers) throws CommandFailure {
    Map<String, String> settings = new TreeMap<>(DEFAULTS);
    settings.putAll(spec.settings());
    settings.putAll(spec.settingsOf(member.id()));
    Map<String, String> own = new TreeMap<>(ownSettings(member));
    own.putAll(servers);
    for (String key : settings.keySet()) {
      if (own.containsKey(key) || key.equals(DynamicConfig.KEY) || key.startsWith("server.")) {
        throw CommandFailure.usage(
            "The setting "
                + key
                + " is the ensemble's own; leave it out and use --dir, --base-port or --admin.");
      }
    }
    settings.values().removeIf(String::isEmpty);
    settings.putAll(own);
    return settings;
  }

  private static Map<String, String> ownSettings(EnsembleMember member) {
    Map<String, String> own = new TreeMap<>();
    own.put("dataDir", member.dataDir().toString());
    own.put("clientPort", Integer.toString(member.clientPort()));
    own.put("clientPortAddress", "127.0.0.1");
    own.put("admin.enableServer", Boolean.toString(member.adminPort() != 0));
    if (member.adminPort() != 0) {
      own.put("admin.serverAddress", "127.0.0.1");
      own.put("admin.serverPort", Integer.toString(member.adminPort()));
    }
    return own;
  }

  /** The lines that name the servers to one of them, when they have agreed on nothing yet. */
  private static Map<String, String> servers(
      List<EnsembleMember> members, EnsembleMember member, PeerRoutes routes) throws IOException {
    Map<String, String> servers = new TreeMap<>();
    for (EnsembleMember peer : members) {
      String line = peer.line();
      if (peer.id() != member.id()) {
        line =
            peer.line(
                routes.port(member.id(), peer.id(), peer.quorumPort()),
                routes.port(member.id(), peer.id(), peer.electionPort()));
      }
      servers.put("server." + peer.id(), line);
    }
    return servers;
  }

  /** The same once some have agreed. */
  private static Map<String, String> servers(DynamicConfig agreed, EnsembleMember member)
      throws CommandFailure {
    Optional<DynamicConfig> its = DynamicConfig.of(member);
    if (its.isPresent() && its.get().servers().has(member.id())) {
      return Map.of(DynamicConfig.KEY, its.get().file().toString());
    }
    return serversWith(member, agreed.servers());
  }
}
