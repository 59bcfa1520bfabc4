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
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.orcagrid.cli.ProcessLauncher.Launched;
import org.orcagrid.cli.ProcessLauncher.Lifetime;

/** Brings back the servers that an ensemble lacks, while the others go on. */
final class EnsembleResume {
  private final EnsembleSpec spec;
  private final List<EnsembleMember> members;

  private EnsembleResume(EnsembleSpec spec, List<EnsembleMember> members) {
    this.spec = spec;
    this.members = members;
  }

  /** Returns the ensemble of which some servers run; empty if none does. */
  static Optional<EnsembleResume> of(EnsembleSpec spec) throws CommandFailure {
    List<EnsembleMember> members = EnsembleFiles.read(spec.dir());
    for (EnsembleMember member : members) {
      if (member.runs()) {
        return Optional.of(new EnsembleResume(spec, members));
      }
    }
    return Optional.empty();
  }

  List<EnsembleMember> members() {
    return members;
  }

  /** Fails if what is asked for is another ensemble than the one that runs. */
  void requireSame() throws CommandFailure {
    if (members.size() != spec.servers()) {
      throw another("has " + members.size() + " servers and not " + spec.servers());
    }
    int port = members.get(0).clientPort();
    if (spec.basePort() != 0 && spec.basePort() != port) {
      throw another("has the base port " + port + " and not " + spec.basePort());
    }
    for (EnsembleMember member : members) {
      if (spec.admin() && member.adminPort() == 0) {
        throw another("has no AdminServer, which --admin asks for");
      }
      Properties lines = ZooCfg.read(member.zooCfg()).properties();
      Map<String, String> asked = new TreeMap<>(spec.settings());
      asked.putAll(spec.settingsOf(member.id()));
      for (Map.Entry<String, String> setting : asked.entrySet()) {
        String is = lines.getProperty(setting.getKey());
        if (!setting.getValue().equals(is == null ? "" : is)) {
          throw another(
              (is == null
                      ? "has no line " + setting.getKey()
                      : "has " + setting.getKey() + "=" + is)
                  + " at server "
                  + member.id()
                  + " and not "
                  + setting.getKey()
                  + "="
                  + setting.getValue());
        }
      }
    }
  }

  private CommandFailure another(String difference) {
    return new CommandFailure(
        "The ensemble that runs in "
            + spec.dir()
            + " "
            + difference
            + "; stop it first with 'orca ensemble stop', or choose another --dir.");
  }

  /** Starts what does not run, with the files and the data that it has. */
  void start(Duration limit, Consumer<String> say)
      throws CommandFailure, IOException, InterruptedException {
    Map<EnsembleMember, Launched> launched = new LinkedHashMap<>();
    List<EnsembleMember> missing = new ArrayList<>();
    for (EnsembleMember member : members) {
      if (!member.runs()) {
        PortCheck.requireFree(ZooCfg.read(member.zooCfg()));
        missing.add(member);
      }
    }
    boolean serving = false;
    try {
      for (EnsembleMember member : missing) {
        launched.put(
            member,
            ProcessLauncher.launch(
                spec.program(), member.zooCfg(), member.dataDir(), Lifetime.DETACHED));
      }
      awaitServing(launched, Deadline.in(limit));
      serving = true;
    } finally {
      if (!serving) {
        launched.values().forEach(each -> each.process().destroyForcibly().onExit().join());
      }
    }
    launched.forEach(
        (member, process) ->
            say.accept(
                "Server "
                    + member.id()
                    + " was not running; started again with pid "
                    + process.process().pid()
                    + "."));
    if (missing.isEmpty()) {
      say.accept("All " + members.size() + " servers were running; nothing was started.");
    }
  }

  private void awaitServing(Map<EnsembleMember, Launched> launched, Deadline deadline)
      throws CommandFailure, IOException, InterruptedException {
    for (EnsembleMember member : members) {
      boolean serves =
          deadline.await(
              () -> {
                for (Map.Entry<EnsembleMember, Launched> each : launched.entrySet()) {
                  requireAlive(each.getKey(), each.getValue());
                }
                return ServerProbe.of(member.clientAddress()).serving();
              });
      if (!serves) {
        throw new CommandFailure(
            "Server "
                + member.id()
                + " runs but does not serve in time; its log is "
                + ServerOutput.in(member.dataDir()).log()
                + ".");
      }
      awaitTls(member, deadline);
    }
    // Each may have answered while the one that led was just lost.
    boolean led =
        deadline.await(
            () ->
                members.stream()
                        .filter(member -> ServerProbe.of(member.clientAddress()).leads())
                        .count()
                    == 1);
    if (!led) {
      throw new CommandFailure(
          "No server of the ensemble in "
              + spec.dir()
              + " leads in time; look at server-*/data/orca.log there.");
    }
  }

  private static void requireAlive(EnsembleMember member, Launched launched) throws CommandFailure {
    try {
      new StartWait(launched, "server " + member.id()).requireAlive();
    } catch (IOException e) {
      throw new CommandFailure(
          "Server " + member.id() + " has ended and its log cannot be read.", e);
    }
  }

  /** Waits until a server that serves in the clear does so over TLS, where it should. */
  static void awaitTls(EnsembleMember member, Deadline deadline)
      throws CommandFailure, InterruptedException {
    ZooCfg cfg = ZooCfg.read(member.zooCfg());
    if (cfg.secureClient().isEmpty()) {
      return;
    }
    InetSocketAddress secure = cfg.secureClient().get();
    AtomicReference<TlsProbe> last = new AtomicReference<>();
    deadline.await(
        () -> {
          last.set(TlsProbe.of(secure));
          return last.get().listening();
        });
    Optional<String> objection = last.get().objection();
    if (objection.isPresent()) {
      throw new CommandFailure(
          "Server "
              + member.id()
              + " completes no TLS handshake at "
              + Addresses.text(Addresses.reachable(secure))
              + " ("
              + objection.get()
              + "); its log is "
              + ServerOutput.in(member.dataDir()).log()
              + ".");
    }
  }
}
