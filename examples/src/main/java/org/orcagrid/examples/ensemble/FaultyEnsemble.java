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
package org.orcagrid.examples.ensemble;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.EnsembleMember;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;
import org.orcagrid.cli.ServerProbe;
import org.orcagrid.cli.ServerProgram;

/**
 * Servers as processes on this machine, to be crashed, started again and cut off from each other. A
 * crash loses everything that the server had not forced to disk, as a power cut would.
 *
 * <p>For one thread, but for {@link #up()} and {@link #held()}, which any may ask.
 */
public final class FaultyEnsemble implements AutoCloseable {

  /** No server. */
  public static final int NOBODY = 0;

  private static final Duration SERVING_LIMIT = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 10;

  /** Times for servers on one machine: faults are noticed fast, and nothing waits for ticks. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "tickTime", "500",
          "initLimit", "40",
          "syncLimit", "16",
          "orca.heartbeatMs", "50",
          "orca.markOutMs", "100",
          "orca.removalMs", "500",
          "orca.readHoldMs", "400",
          "orca.test.loseUnforced", "true");

  /** A server is started several times a minute: what counts is how soon it is there. */
  private static final List<String> JVM =
      List.of("-Xmx96m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

  private final Holds holds;
  private final EnsembleProcesses servers;
  private final int count;

  /** Guarded by its own monitor. */
  private final TreeSet<Integer> up = new TreeSet<>();

  private volatile int held = NOBODY;

  private FaultyEnsemble(Holds holds, EnsembleProcesses servers, int count) {
    this.holds = holds;
    this.servers = servers;
    this.count = count;
  }

  /**
   * Starts servers with these settings and waits until they serve.
   *
   * @param title of what is started, for messages
   * @param settings lines of zoo.cfg; they may also change the times, which are short otherwise
   * @param folder gets their files
   * @throws IOException if they cannot be started or do not serve
   */
  public static FaultyEnsemble start(
      String title, Map<String, String> settings, int count, Path folder)
      throws IOException, InterruptedException {
    Holds holds = new Holds();
    EnsembleSpec spec =
        EnsembleSpec.of(count, folder)
            .withSettings(SETTINGS)
            .withSettings(settings)
            .withProgram(ServerProgram.orca().withJvmFlags(JVM))
            .withRoutes(holds);
    EnsembleProcesses servers;
    try {
      servers = EnsembleProcesses.start(spec);
    } catch (CommandFailure | IOException e) {
      holds.close();
      throw new IOException(title + " did not start: " + e.getMessage(), e);
    }
    FaultyEnsemble ensemble = new FaultyEnsemble(holds, servers, count);
    try {
      for (int id = 1; id <= count; id++) {
        ensemble.up.add(id);
      }
      ensemble.awaitServing();
      return ensemble;
    } catch (IOException | InterruptedException | RuntimeException e) {
      ensemble.close();
      throw e;
    }
  }

  /** Returns the servers in the order of their numbers. */
  public List<EnsembleMember> members() {
    return servers.members();
  }

  /** Returns how many servers there are. */
  public int count() {
    return count;
  }

  /** Returns the numbers of the servers that were not crashed, in order. */
  public List<Integer> up() {
    synchronized (up) {
      return List.copyOf(up);
    }
  }

  /** Returns the numbers of the servers that are up and not cut off, in order. */
  public List<Integer> prompt() {
    return up().stream().filter(id -> id != held).toList();
  }

  /** Returns the server that is cut off, or {@link #NOBODY}. */
  public int held() {
    return held;
  }

  /** Crashes a server: what it had not forced to disk is lost. */
  public void crash(int id) throws InterruptedException {
    synchronized (up) {
      up.remove(id);
    }
    servers.kill(id);
  }

  /** Starts a crashed server; {@link #awaitServing()} tells when it is of use. */
  public void recover(int id) throws IOException {
    servers.start(id);
    synchronized (up) {
      up.add(id);
    }
  }

  /** From now on nothing gets to this server from the others, or from it to them. */
  public void hold(int id) {
    holds.hold(id);
    held = id;
  }

  /** Everything that was held back goes on its way. */
  public void release() {
    held = NOBODY;
    holds.release();
  }

  /** Returns the server that says that it leads, if there is one. */
  public OptionalInt leader() {
    return servers.leader();
  }

  /**
   * Waits until every server that is up serves clients.
   *
   * @throws IOException if one has ended, or does not serve within a minute
   */
  public void awaitServing() throws IOException, InterruptedException {
    long end = System.nanoTime() + SERVING_LIMIT.toNanos();
    for (int id : up()) {
      ServerProbe probe = servers.probe(id);
      while (!probe.serving()) {
        if (!servers.running(id)) {
          throw new IOException("Server " + id + " has ended; see " + servers.member(id).dataDir());
        }
        if (System.nanoTime() > end) {
          throw new IOException(
              "Server "
                  + id
                  + " does not serve after "
                  + SERVING_LIMIT.toSeconds()
                  + " s; see "
                  + servers.member(id).dataDir());
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        probe = servers.probe(id);
      }
    }
  }

  /** Ends all servers. */
  @Override
  public void close() {
    // What a cut-off server waits for would make its end wait too.
    release();
    servers.close();
    holds.close();
  }
}
