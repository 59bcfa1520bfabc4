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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.server.settings.KeyWarnings;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;

/**
 * Everything that can be told to be wrong with a zoo.cfg without starting its server. Nothing is
 * written but a copy of it in the folder for temporary files.
 */
final class ConfigCheck {
  private final List<String> errors = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private ConfigCheck() {}

  /** Looks at all that a file says. */
  static ConfigCheck of(Path zooCfg) {
    ConfigCheck check = new ConfigCheck();
    Path file = zooCfg.toAbsolutePath().normalize();
    Optional<ZooCfg> cfg = check.read(file);
    check.lookAtText(file, cfg);
    return check;
  }

  /** What keeps a server from starting, or from serving. */
  List<String> errors() {
    return errors;
  }

  /** What a server starts with, and what may be meant otherwise. */
  List<String> warnings() {
    return warnings;
  }

  /** What was not looked at, and why. */
  List<String> notes() {
    return notes;
  }

  private Optional<ZooCfg> read(Path file) {
    try {
      return Optional.of(ZooCfg.read(file));
    } catch (CommandFailure e) {
      errors.add(e.getMessage());
      return Optional.empty();
    }
  }

  private void lookAtText(Path file, Optional<ZooCfg> cfg) {
    Properties keys = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      keys.load(in);
      warnings.addAll(KeyWarnings.of(file));
    } catch (IOException | IllegalArgumentException e) {
      // Said already, with the fix, by what has read the file before.
      return;
    }
    // ZooKeeper's parser would only say the same of a missing myid.
    boolean parse = cfg.isPresent() && attempt(cfg.get()::requireDataDir);
    OrcaSettings settings = lookAtValues(file, keys, parse);
    if (cfg.isPresent()) {
      lookAtMachine(cfg.get(), settings);
    }
  }

  private void lookAtMachine(ZooCfg cfg, OrcaSettings settings) {
    lookAtFolder(cfg.dataDir(), "dataDir");
    if (!cfg.dataLogDir().equals(cfg.dataDir())) {
      lookAtFolder(cfg.dataLogDir(), "dataLogDir");
    }
    attempt(cfg::anyClientAddress);
    lookAtPorts(cfg, settings);
    attempt(
        () -> {
          TlsCheck tls = TlsCheck.of(cfg);
          errors.addAll(tls.errors());
          warnings.addAll(tls.warnings());
        });
  }

  private OrcaSettings lookAtValues(Path file, Properties keys, boolean parse) {
    List<CommandFailure> numbers = NumericKeys.failures(file, keys);
    numbers.forEach(failure -> errors.add(failure.getMessage()));
    OrcaSettings settings = null;
    try {
      settings = OrcaSettings.from(keys);
    } catch (OrcaConfigException e) {
      errors.add(e.getMessage());
    }
    if (parse && numbers.isEmpty() && settings != null) {
      parse(file);
    }
    return settings;
  }

  /**
   * ZooKeeper's own parser, on a copy: it writes a backup beside the file that it reads. What it
   * publishes to the whole JVM is taken back.
   */
  private void parse(Path file) {
    Properties before = (Properties) System.getProperties().clone();
    try {
      Path folder = Files.createTempDirectory("orca-check");
      Path copy = folder.resolve(file.getFileName());
      try {
        Files.copy(file, copy);
        OrcaServerConfig.fromZooCfg(copy);
      } catch (OrcaConfigException e) {
        errors.add(e.getMessage().replace(copy.toString(), file.toString()));
      } finally {
        try (var left = Files.list(folder)) {
          for (Path each : left.toList()) {
            Files.delete(each);
          }
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      notes.add("The values were not all looked at: no temporary file (" + e.getMessage() + ").");
    } finally {
      System.setProperties(before);
    }
  }

  private void lookAtFolder(Path folder, String key) {
    Path there = folder;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there == null || !Files.isDirectory(there) || !Files.isWritable(there)) {
      errors.add(
          "Cannot write to the data folder "
              + folder
              + " ("
              + (there == null || Files.isDirectory(there)
                  ? "no permission in " + there
                  : there + " is not a folder")
              + "); make it writable or choose another "
              + key
              + ".");
    }
  }

  private void lookAtPorts(ZooCfg cfg, OrcaSettings settings) {
    Optional<ServerProcess> running;
    try {
      running = PidFile.in(cfg.dataDir()).running();
    } catch (CommandFailure e) {
      errors.add(e.getMessage());
      return;
    }
    if (running.isPresent()) {
      notes.add("The ports were not tried: the server runs, with pid " + running.get().pid() + ".");
      return;
    }
    PortCheck.failures(cfg).forEach(failure -> errors.add(failure.getMessage()));
    if (settings != null && settings.console() != null && settings.console().getPort() > 0) {
      attempt(() -> PortCheck.requireFree(cfg, "orca.consolePort", settings.console()));
    }
  }

  private interface Look {
    void run() throws CommandFailure;
  }

  private boolean attempt(Look look) {
    try {
      look.run();
      return true;
    } catch (CommandFailure e) {
      errors.add(e.getMessage());
      return false;
    }
  }
}
