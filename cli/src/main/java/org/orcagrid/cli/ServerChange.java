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
import java.util.OptionalLong;
import java.util.Properties;
import java.util.function.Consumer;
import org.orcagrid.cli.ProcessLauncher.Launched;
import org.orcagrid.cli.ProcessLauncher.Lifetime;
import org.orcagrid.server.settings.LeaseSettings;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.settings.Readers;

/**
 * One running server whose zoo.cfg changes: it is stopped, and started again with the new one. If
 * it does not become healthy, it gets the old values back.
 *
 * <p>Healthy is a server that serves clients, has applied what its leader had when it began to
 * serve, and, if it held a lease before, holds one again where all do before and after.
 */
final class ServerChange {
  private static final Duration WORD_TIMEOUT = Duration.ofSeconds(2);
  private static final String LEASE = "zk_orca_holds_lease";

  private final String name;
  private final Path zooCfg;
  private final ZooCfg cfg;
  private final InetSocketAddress client;
  private final SettingsChange change;

  /** Null until it was started here. */
  private Launched launched;

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

  boolean runs() throws CommandFailure {
    return PidFile.in(cfg.dataDir()).running().isPresent();
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
   * @throws CommandFailure if it does not become healthy, or something fails once it is stopped; it
   *     has its old values then
   */
  void apply(Leader leader, Duration limit, Consumer<String> say)
      throws CommandFailure, IOException, InterruptedException {
    boolean held = mayAllHoldLeases() && holdsLease();
    ZooCfgSwap swap = prepare();
    try {
      stop(say);
      swap.install();
      startHealthy(leader, held, limit);
    } catch (CommandFailure | IOException e) {
      throw restored(swap, leader, limit, say, e);
    }
    swap.forget();
  }

  private ZooCfgSwap prepare() throws CommandFailure {
    try {
      return ZooCfgSwap.prepare(zooCfg, change);
    } catch (IOException e) {
      throw new CommandFailure(name + " was not stopped: " + FailureReport.sentence(e), e);
    }
  }

  /** Where the zxid is found that a server must have reached. */
  @FunctionalInterface
  interface Leader {
    /** The leader's answer; one that does not serve if there is none just now. */
    ServerProbe probe() throws CommandFailure;
  }

  private CommandFailure restored(
      ZooCfgSwap swap, Leader leader, Duration limit, Consumer<String> say, Exception cause)
      throws InterruptedException {
    String end;
    try {
      try {
        stop(say);
      } finally {
        swap.takeBack();
      }
      startHealthy(leader, false, limit);
      swap.forget();
      end = " Its old zoo.cfg is back, and it serves again.";
    } catch (CommandFailure | IOException e) {
      end =
          (swap.isBack()
                  ? " Its old zoo.cfg is back, but with that it does not serve either: "
                  : " Its old zoo.cfg is not back, but in " + swap.before() + ": ")
              + FailureReport.sentence(e);
    }
    return new CommandFailure(
        name
            + " did not become healthy with "
            + change
            + ": "
            + FailureReport.sentence(cause)
            + end,
        cause);
  }

  private void startHealthy(Leader leader, boolean heldLease, Duration limit)
      throws CommandFailure, IOException, InterruptedException {
    PortCheck.requireFree(ZooCfg.read(zooCfg));
    Launched started =
        ProcessLauncher.launch(ServerProgram.orca(), zooCfg, cfg.dataDir(), Lifetime.DETACHED);
    launched = started;
    Health health = new Health(leader, heldLease && mayAllHoldLeases());
    boolean healthy =
        Deadline.in(limit).await(() -> !started.process().isAlive() || health.holds());
    new StartWait(started, name).requireAlive();
    if (!healthy) {
      throw new CommandFailure(
          health.lacks
              + " within "
              + limit.toSeconds()
              + " s; its log is "
              + started.output().log());
    }
  }

  /** Whether the launched server is healthy, and if not, what it lacks. */
  private final class Health implements Deadline.Condition {
    private final Leader leader;
    private final boolean needsLease;
    private OptionalLong toReach = OptionalLong.empty();
    private String lacks;

    Health(Leader leader, boolean needsLease) {
      this.leader = leader;
      this.needsLease = needsLease;
    }

    @Override
    public boolean holds() throws CommandFailure {
      lacks = "It did not serve clients";
      ServerProbe own = probe();
      if (!own.serving()) {
        return false;
      }
      if (toReach.isEmpty()) {
        lacks = "It served clients, but no server led";
        ServerProbe leads = leader.probe();
        if (!leads.serving()) {
          return false;
        }
        toReach = OptionalLong.of(zxid(leads));
      }
      lacks = "It served clients, but did not apply what its leader had";
      if (zxid(own) < toReach.getAsLong()) {
        return false;
      }
      lacks = "It served clients and had caught up, but got no lease";
      return !needsLease || holdsLease();
    }
  }

  /**
   * Whether each voter may hold a lease, as far as this server's settings say. The leader's decide;
   * they are the same, except while a change of them is under way.
   */
  private boolean mayAllHoldLeases() throws CommandFailure {
    OrcaSettings settings;
    try {
      settings = OrcaSettings.from(lines());
    } catch (OrcaConfigException e) {
      // The file was edited after the server had started; this change mends it, or its start fails.
      return false;
    }
    return settings.readers() == Readers.ACTIVE_SET
        && settings.leases().size() instanceof LeaseSettings.Size.All;
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
    PidFile pidFile = PidFile.in(cfg.dataDir());
    if (launched == null) {
      server.add(name, pidFile);
    } else {
      server.add(name, pidFile, launched.process().toHandle());
    }
    server.stop(say);
    DataDirLock.requireFree(cfg.dataDir());
  }
}
