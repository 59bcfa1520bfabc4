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
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.function.Consumer;
import org.orcagrid.cli.ProcessLauncher.Launched;
import org.orcagrid.cli.ProcessLauncher.Lifetime;
import org.orcagrid.server.settings.LeaseSettings;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.settings.Readers;

/**
 * One running server whose zoo.cfg changes: it is stopped, and started again with the new one. If
 * it does not become healthy, it gets the old one back.
 *
 * <p>Healthy is a server that serves clients, has applied what its leader had when it began to
 * serve, and, if it held a lease before and still may, holds one again.
 */
final class ServerChange {
  private static final Duration WORD_TIMEOUT = Duration.ofSeconds(2);
  private static final String LEASE = "zk_orca_holds_lease";

  private final String name;
  private final Path zooCfg;
  private final ZooCfg cfg;
  private final InetSocketAddress client;
  private final SettingsChange change;

  /**
   * What is to be done to a server.
   *
   * @param name begins or ends a sentence about it
   */
  ServerChange(String name, Path zooCfg, SettingsChange change) throws CommandFailure {
    this.name = name;
    this.cfg = ZooCfg.read(zooCfg);
    this.zooCfg = cfg.file();
    this.change = change;
    this.client =
        cfg.client()
            .orElseThrow(
                () ->
                    new CommandFailure(
                        name
                            + " has no clientPort, only one with TLS, where it cannot be asked how"
                            + " it is; change "
                            + cfg.file()
                            + " by hand, look at it with 'orca server check', and restart it."));
  }

  String name() {
    return name;
  }

  /** Returns what the file has now. */
  Properties lines() throws CommandFailure {
    return ZooCfg.read(zooCfg).properties();
  }

  /** Returns what the file is to have. */
  Properties changedLines() throws CommandFailure, IOException {
    return SettingsChange.parse(change.applyTo(Files.readString(zooCfg)));
  }

  boolean isDone() throws CommandFailure {
    return change.isIn(lines());
  }

  ServerProbe probe() {
    return ServerProbe.of(client);
  }

  /** Fails unless the server serves, is ours to restart, and would start with the new values. */
  void check(Consumer<String> warn) throws CommandFailure, IOException {
    ServerProcess process =
        PidFile.in(cfg.dataDir())
            .running()
            .orElseThrow(
                () -> new CommandFailure(name + " does not run; start it first, and repeat this."));
    ServerProbe probe = probe();
    if (!probe.serving()) {
      throw new CommandFailure(
          name
              + " runs but does not say that it serves clients ("
              + probe.answer().name().toLowerCase(Locale.ROOT).replace('_', ' ')
              + "); nothing was changed. It needs a quorum, and srvr in 4lw.commands.whitelist.");
    }
    String flag = "-D" + LogConfig.FILE_PROPERTY + "=";
    if (!process.wasGiven(flag)) {
      throw new CommandFailure(
          name
              + " was not started by 'orca server start' or 'orca ensemble start'; change "
              + zooCfg
              + " by hand, look at it with 'orca server check', and restart it where it runs"
              + " (systemctl, the container).");
    }
    checkValues(warn);
  }

  /** As 'orca server check' does, of a copy with the new values. */
  private void checkValues(Consumer<String> warn) throws CommandFailure, IOException {
    Path folder = Files.createTempDirectory("orca-set");
    Path copy = folder.resolve(zooCfg.getFileName());
    try {
      Files.writeString(copy, change.applyTo(Files.readString(zooCfg)));
      ConfigCheck check = ConfigCheck.of(copy);
      if (!check.errors().isEmpty()) {
        String first = check.errors().get(0).replace(copy.toString(), zooCfg.toString());
        throw new CommandFailure(name + " would not start: " + first + " Nothing was changed.");
      }
      for (String warning : check.warnings()) {
        warn.accept("Warning: " + warning.replace(copy.toString(), zooCfg.toString()));
      }
    } finally {
      Files.deleteIfExists(copy);
      Files.delete(folder);
    }
  }

  /**
   * Restarts the server with the new values.
   *
   * @param leader who leads once this one is stopped
   * @throws CommandFailure if it does not become healthy; it has its old values then
   */
  void apply(Leader leader, Duration limit, Consumer<String> say)
      throws CommandFailure, IOException, InterruptedException {
    boolean held = holdsLease();
    stop(say);
    String before = Files.readString(zooCfg);
    try {
      WholeFile.write(zooCfg, change.applyTo(before));
      startHealthy(leader, held, limit);
    } catch (CommandFailure e) {
      throw restored(before, leader, limit, say, e);
    }
  }

  /** Where the zxid is found that a server must have reached. */
  @FunctionalInterface
  interface Leader {
    /** The leader's answer; one that does not serve if there is none just now. */
    ServerProbe probe() throws CommandFailure;
  }

  private CommandFailure restored(
      String before, Leader leader, Duration limit, Consumer<String> say, CommandFailure cause)
      throws IOException, InterruptedException {
    String end;
    try {
      stop(say);
      WholeFile.write(zooCfg, before);
      startHealthy(leader, false, limit);
      end = " Its old zoo.cfg is back, and it serves again.";
    } catch (CommandFailure e) {
      WholeFile.write(zooCfg, before);
      end = " Its old zoo.cfg is back, but with that it does not serve either: " + e.getMessage();
    }
    return new CommandFailure(
        name + " did not become healthy with " + change + ": " + cause.getMessage() + end, cause);
  }

  private void startHealthy(Leader leader, boolean heldLease, Duration limit)
      throws CommandFailure, IOException, InterruptedException {
    PortCheck.requireFree(ZooCfg.read(zooCfg));
    Deadline deadline = Deadline.in(limit);
    Launched launched =
        ProcessLauncher.launch(ServerProgram.orca(), zooCfg, cfg.dataDir(), Lifetime.DETACHED);
    StartWait wait = new StartWait(launched, name);
    wait.await(deadline.left(), () -> probe().serving());
    long[] reached = {-1};
    wait.await(
        deadline.left(),
        () -> {
          ServerProbe leads = reached[0] < 0 ? leader.probe() : null;
          if (leads != null && leads.serving()) {
            reached[0] = zxid(leads);
          }
          ServerProbe own = probe();
          return reached[0] >= 0 && own.serving() && zxid(own) >= reached[0];
        });
    OrcaSettings settings = SettingsChange.settings(lines());
    boolean all = settings.leases().size() instanceof LeaseSettings.Size.All;
    if (heldLease && settings.readers() == Readers.ACTIVE_SET && all) {
      wait.await(deadline.left(), this::holdsLease);
    }
  }

  private static long zxid(ServerProbe probe) {
    return probe.zxid().startsWith("0x")
        ? Long.parseUnsignedLong(probe.zxid().substring(2), 16)
        : 0;
  }

  /** Whether the server says that it may answer reads alone; not if it may not be asked. */
  private boolean holdsLease() {
    try {
      return FourLetterWord.ask(client, "mntr", WORD_TIMEOUT)
          .lines()
          .map(line -> line.split("\\s+"))
          .anyMatch(words -> words[0].equals(LEASE) && words[1].startsWith("1"));
    } catch (IOException e) {
      // The finding, as with ServerProbe: it does not answer.
      return false;
    }
  }

  private void stop(Consumer<String> say) throws CommandFailure, IOException, InterruptedException {
    StopTogether server = new StopTogether();
    server.add(name, PidFile.in(cfg.dataDir()));
    server.stop(say);
    DataDirLock.requireFree(cfg.dataDir());
  }
}
