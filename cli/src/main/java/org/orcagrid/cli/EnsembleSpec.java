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

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * An ensemble of server processes on the loopback address. Servers are numbered from 1, as their
 * {@code myid} is.
 *
 * @param servers how many, 1 to 99; one alone is a standalone server
 * @param dir everything of the ensemble lies below it, in {@code server-1}, {@code server-2} ...;
 *     data that is there is used again
 * @param basePort client ports are this and the next ones, quorum, election and admin ports 100,
 *     200 and 300 above; 0 for the ports that {@code dir} had before, or free ones
 * @param admin whether AdminServer runs on each server
 * @param settings lines of every zoo.cfg, stronger than the defaults; an empty value stands for no
 *     line
 * @param settingsByServer lines for one server's zoo.cfg by its number, stronger than {@code
 *     settings}
 * @param program what each process runs
 * @param routes where the servers reach each other
 * @param takenPorts ports that are not free though nobody listens there, as those of an ensemble
 *     that is about to start
 */
public record EnsembleSpec(
    int servers,
    Path dir,
    int basePort,
    boolean admin,
    Map<String, String> settings,
    Map<Integer, Map<String, String>> settingsByServer,
    ServerProgram program,
    PeerRoutes routes,
    Set<Integer> takenPorts) {
  /** Where {@code orca ensemble} keeps its ensemble unless it is told otherwise. */
  static Path defaultDir() {
    return StateFolder.of("ensemble");
  }

  static final int SERVERS_MAX = 99;

  /** Copies the maps and makes {@code dir} absolute. */
  public EnsembleSpec {
    if (servers < 1 || servers > SERVERS_MAX) {
      throw new IllegalArgumentException("servers=" + servers + " is not from 1 to 99");
    }
    dir = dir.toAbsolutePath().normalize();
    settings = Map.copyOf(settings);
    settingsByServer = Map.copyOf(settingsByServer);
    takenPorts = Set.copyOf(takenPorts);
  }

  /** The lines of one server's zoo.cfg that are for it alone. */
  Map<String, String> settingsOf(int server) {
    return settingsByServer.getOrDefault(server, Map.of());
  }

  /** Returns an ensemble of our servers on free ports, without AdminServer. */
  public static EnsembleSpec of(int servers, Path dir) {
    return new EnsembleSpec(
        servers,
        dir,
        0,
        false,
        Map.of(),
        Map.of(),
        ServerProgram.orca(),
        PeerRoutes.DIRECT,
        Set.of());
  }

  /** Returns the same with another program, {@link ServerProgram#stock()} for instance. */
  public EnsembleSpec withProgram(ServerProgram newProgram) {
    return new EnsembleSpec(
        servers, dir, basePort, admin, settings, settingsByServer, newProgram, routes, takenPorts);
  }

  /** Returns the same with these lines in every zoo.cfg in addition. */
  public EnsembleSpec withSettings(Map<String, String> more) {
    return new EnsembleSpec(
        servers,
        dir,
        basePort,
        admin,
        merged(settings, more),
        settingsByServer,
        program,
        routes,
        takenPorts);
  }

  /** Returns the same with these lines in one server's zoo.cfg in addition. */
  public EnsembleSpec withSettingsOf(int server, Map<String, String> more) {
    Map<Integer, Map<String, String>> all = new TreeMap<>(settingsByServer);
    all.merge(server, Map.copyOf(more), EnsembleSpec::merged);
    return new EnsembleSpec(
        servers, dir, basePort, admin, settings, all, program, routes, takenPorts);
  }

  /** Returns the same with AdminServer on each server. */
  public EnsembleSpec withAdmin() {
    return new EnsembleSpec(
        servers, dir, basePort, true, settings, settingsByServer, program, routes, takenPorts);
  }

  /** Returns the same with fixed ports from {@code newBasePort} on. */
  public EnsembleSpec withBasePort(int newBasePort) {
    return new EnsembleSpec(
        servers, dir, newBasePort, admin, settings, settingsByServer, program, routes, takenPorts);
  }

  /**
   * Returns the same with servers that reach each other at the ports that {@code newRoutes} says.
   */
  public EnsembleSpec withRoutes(PeerRoutes newRoutes) {
    return new EnsembleSpec(
        servers, dir, basePort, admin, settings, settingsByServer, program, newRoutes, takenPorts);
  }

  /** Returns the same, which chooses none of these ports. */
  public EnsembleSpec withTakenPorts(Set<Integer> ports) {
    return new EnsembleSpec(
        servers, dir, basePort, admin, settings, settingsByServer, program, routes, ports);
  }

  private static Map<String, String> merged(Map<String, String> base, Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(base);
    all.putAll(more);
    return all;
  }
}
