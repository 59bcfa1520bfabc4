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
import java.util.TreeMap;

/** The files of an ensemble: a folder per server with its zoo.cfg, and its myid in its data. */
final class EnsembleFiles {
  private EnsembleFiles() {}

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
    List<EnsembleMember> members = EnsemblePorts.assign(spec, before);
    // Nothing is written before everything is checked.
    Map<EnsembleMember, String> files = new LinkedHashMap<>();
    for (EnsembleMember member : members) {
      files.put(member, ZooCfgWriter.text(settings(spec, members, member)));
    }
    for (EnsembleMember member : members) {
      Files.createDirectories(member.dataDir());
      Files.writeString(member.dataDir().resolve("myid"), member.id() + "\n");
      Files.writeString(member.zooCfg(), files.get(member));
    }
    return members;
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
    List<InetSocketAddress> peers = cfg.self().map(ServerLine::peers).orElse(List.of());
    if (peers.size() != 2 || cfg.client().isEmpty()) {
      throw new CommandFailure(
          cfg.file()
              + " is not as 'orca ensemble start' writes it; delete its folder or use"
              + " 'orca server' for it.");
    }
    return new EnsembleMember(
        id,
        folder,
        cfg.client().get().getPort(),
        peers.get(0).getPort(),
        peers.get(1).getPort(),
        cfg.adminPort());
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
      EnsembleSpec spec, List<EnsembleMember> members, EnsembleMember member)
      throws CommandFailure, IOException {
    Map<String, String> settings = new TreeMap<>();
    settings.put("tickTime", "2000");
    settings.put("initLimit", "10");
    settings.put("syncLimit", "5");
    // All clients come from one address here, so a limit per address would be a limit for all.
    settings.put("maxClientCnxns", "0");
    settings.put("4lw.commands.whitelist", "srvr,ruok,mntr,stat,conf");
    settings.putAll(spec.settings());
    settings.putAll(spec.settingsByServer().getOrDefault(member.id(), Map.of()));
    Map<String, String> own = ownSettings(members, member, spec.routes());
    for (String key : own.keySet()) {
      if (settings.containsKey(key)) {
        throw CommandFailure.usage(
            "The setting "
                + key
                + " is the ensemble's own; leave it out and use --dir, --base-port or --admin.");
      }
    }
    settings.putAll(own);
    return settings;
  }

  private static Map<String, String> ownSettings(
      List<EnsembleMember> members, EnsembleMember member, PeerRoutes routes) throws IOException {
    Map<String, String> own = new TreeMap<>();
    own.put("dataDir", member.dataDir().toString());
    own.put("clientPort", Integer.toString(member.clientPort()));
    own.put("clientPortAddress", "127.0.0.1");
    own.put("admin.enableServer", Boolean.toString(member.adminPort() != 0));
    if (member.adminPort() != 0) {
      own.put("admin.serverAddress", "127.0.0.1");
      own.put("admin.serverPort", Integer.toString(member.adminPort()));
    }
    for (EnsembleMember peer : members) {
      int quorumPort = peer.quorumPort();
      int electionPort = peer.electionPort();
      if (peer.id() != member.id()) {
        quorumPort = routes.port(member.id(), peer.id(), quorumPort);
        electionPort = routes.port(member.id(), peer.id(), electionPort);
      }
      own.put("server." + peer.id(), "127.0.0.1:" + quorumPort + ":" + electionPort);
    }
    return own;
  }
}
