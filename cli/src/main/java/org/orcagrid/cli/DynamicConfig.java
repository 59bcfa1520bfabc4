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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.orcagrid.membership.zookeeper.EnsembleConfig;

/**
 * What the servers of an ensemble have agreed on about themselves, as one of them keeps it beside
 * its zoo.cfg: with {@code reconfigEnabled} it counts, and not what zoo.cfg began with.
 *
 * @param file which the server has named by the version
 * @param version a later one replaces an earlier one, everywhere
 */
record DynamicConfig(Path file, long version, EnsembleConfig servers) {
  /** The line of zoo.cfg that names the file. */
  static final String KEY = "dynamicConfigFile";

  /** Where a zoo.cfg has its servers, if that is not in the file itself. */
  static Optional<Path> file(Path zooCfg, Properties lines) {
    String named = lines.getProperty(KEY);
    if (named == null || named.isBlank()) {
      return Optional.empty();
    }
    Path file = Path.of(named.trim()).toAbsolutePath().normalize();
    Path beside = zooCfg.resolveSibling(file.getFileName());
    // A folder that was moved as a whole names the file where it was.
    return Optional.of(!Files.exists(file) && Files.exists(beside) ? beside : file);
  }

  /** Of a server; empty if it has agreed on nothing yet. */
  static Optional<DynamicConfig> of(EnsembleMember server) throws CommandFailure {
    Optional<Path> file = ZooCfg.dynamicFile(server.zooCfg());
    while (file.isPresent()) {
      try {
        return Optional.of(of(file.get()));
      } catch (CommandFailure e) {
        // A server that follows a reconfiguration has the next file named, and deletes this one.
        Optional<Path> next = ZooCfg.dynamicFile(server.zooCfg());
        if (next.equals(file)) {
          throw e;
        }
        file = next;
      }
    }
    return Optional.empty();
  }

  private static DynamicConfig of(Path file) throws CommandFailure {
    String version = QuorumPeerConfig.getVersionFromFilename(file.toString());
    try {
      return new DynamicConfig(
          file,
          version == null ? 0 : Long.parseLong(version, 16),
          EnsembleConfig.parse(Files.readAllBytes(file)));
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** The latest that any of them knows; empty if none has agreed on anything. */
  static Optional<DynamicConfig> latest(List<EnsembleMember> servers) throws CommandFailure {
    Optional<DynamicConfig> latest = Optional.empty();
    for (EnsembleMember server : servers) {
      Optional<DynamicConfig> its = of(server);
      if (its.isPresent() && (latest.isEmpty() || latest.get().version() < its.get().version())) {
        latest = its;
      }
    }
    return latest;
  }
}
