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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.orcagrid.cli.ProcessLauncher.Launched;
import org.orcagrid.cli.ProcessLauncher.Lifetime;
import org.orcagrid.membership.zookeeper.ServerInEnsembleException;

/**
 * A running grid: every node is a process of its own that can be killed, paused, resumed and
 * started again. Nodes are named by their number, from 1.
 *
 * <p>Not safe for several threads at once. {@link #close()} ends every process that was started
 * here; so does the end of this JVM, unless it is killed.
 */
public final class GridProcesses implements AutoCloseable {
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(5);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
  private static final Duration END_LIMIT = Duration.ofSeconds(15);
  private static final long PAUSE_MILLIS = 100;

  private final GridFolder folder;
  private final List<GridNode> nodes;
  private final Lifetime lifetime;

  /** By number; read by the hook's thread. */
  private final Map<Integer, Launched> launched = new ConcurrentHashMap<>();

  /** Nothing is started any more: nobody would end it. */
  private boolean ending;

  private final Thread killAtExit = new Thread(this::killAll, "orca-grid-kill");

  /** The nodes of a grid, of which those that do not run are to be started. */
  GridProcesses(GridFolder folder, List<GridNode> nodes, Lifetime lifetime) {
    this.folder = folder;
    this.nodes = new ArrayList<>(nodes);
    this.lifetime = lifetime;
  }

  /**
   * Starts a grid, and returns when all of its nodes serve.
   *
   * @param dir its folder; what a grid of as many nodes has there is used again
   * @param basePort of the first node; the others follow
   * @param settings lines for every node, named as in grid.cfg, and for every zoo.cfg
   * @throws CommandFailure if a node does not serve in time, with the reason
   */
  public static GridProcesses start(
      Path dir, int count, int basePort, Map<String, String> settings, Duration limit)
      throws IOException, CommandFailure, InterruptedException {
    GridFolder folder = new GridFolder(dir.toAbsolutePath().normalize());
    GridProcesses grid =
        new GridProcesses(
            folder, new GridFiles(folder).write(count, basePort, settings), Lifetime.ATTACHED);
    grid.startMissing(limit);
    return grid;
  }

  /**
   * Starts all nodes that do not run, and returns their numbers when all nodes serve. If that takes
   * too long, or fails, what was started here is ended.
   */
  List<Integer> startMissing(Duration limit)
      throws IOException, CommandFailure, InterruptedException {
    arm();
    return startNow(limit);
  }

  /** What is started from now on ends with this JVM, unless it is {@linkplain #detach detached}. */
  void arm() {
    Runtime.getRuntime().addShutdownHook(killAtExit);
  }

  private List<Integer> startNow(Duration limit)
      throws IOException, CommandFailure, InterruptedException {
    List<Integer> missing = new ArrayList<>();
    boolean serves = false;
    try (GridProbe probe = new GridProbe()) {
      for (GridNode node : nodes) {
        if (node.running().isEmpty()) {
          node.requireFreePort();
          readmit(node);
          missing.add(node.number());
        }
      }
      for (int node : missing) {
        start(node);
      }
      Deadline deadline = Deadline.in(limit);
      for (GridNode node : nodes) {
        await(node, probe, deadline);
      }
      serves = true;
    } finally {
      if (!serves) {
        close();
      }
    }
    return missing;
  }

  /** A server does not start by itself that the ensemble has taken out, or not let in yet. */
  private void readmit(GridNode node) throws IOException, CommandFailure {
    Optional<EnsembleMember> server = folder.server(node.number());
    if (server.isPresent()) {
      EnsembleFiles.readmit(server.get(), folder.servers());
    }
  }

  /**
   * Adds a node to the grid while it is used, and returns its number when it serves. All other
   * nodes have to serve. If the ensemble lacks a vote, the node is to {@linkplain #completeVotes
   * get it}.
   *
   * @throws CommandFailure if it does not serve in time, with the reason; then what was started
   *     here is ended, and the grid keeps the node's place
   */
  public int add(Duration limit) throws IOException, CommandFailure, InterruptedException {
    GridNode added = new GridFiles(folder).writeOneMore();
    boolean given = false;
    try {
      added.settings().withEnsemble(folder.ensembleWithout(added.number())).addPlace();
      given = true;
    } catch (IOException e) {
      throw new CommandFailure("No node is added: " + e.getMessage(), e);
    } finally {
      if (!given) {
        folder.remove(added);
      }
    }
    nodes.add(added);
    nodes.sort(Comparator.comparingInt(GridNode::number));
    startNow(limit);
    return added.number();
  }

  /**
   * Removes a node from the grid while it is used, whether it runs or not. A server that hosts it
   * leaves the ensemble first. When this returns, the node's process has ended and its folder is
   * set aside; the ensemble may {@linkplain #completeVotes lack a vote}.
   *
   * @param says is told what is waited for
   * @return where its folder is now
   * @throws CommandFailure if the grid or its ensemble cannot lose it, or has not in time
   */
  public Path remove(int number, Duration limit, Consumer<String> says)
      throws IOException, CommandFailure, InterruptedException {
    Deadline deadline = Deadline.in(limit);
    GridNode removed = node(number);
    GridVotes votes = new GridVotes(folder, this, deadline, says);
    try {
      leave(removed, deadline, says);
    } catch (ServerInEnsembleException e) {
      votes.leave(removed);
      // The ensemble may elect a leader, and a node be silent meanwhile.
      deadline.untilDone(() -> leave(removed, deadline, says));
    }
    if (removed.isHosted()) {
      // Its vote may be one that it got after an earlier attempt.
      votes.leave(removed);
    }
    end(removed);
    launched.remove(number);
    nodes.remove(removed);
    Path aside = folder.setAside(removed);
    new GridFiles(folder).followEnsemble();
    return aside;
  }

  private void leave(GridNode removed, Deadline deadline, Consumer<String> says)
      throws IOException, CommandFailure, InterruptedException {
    try {
      removed
          .settings()
          .withEnsemble(folder.ensembleWithout(removed.number()))
          .removePlace(removed.settings().home().address().toString(), deadline.left(), says);
    } catch (ServerInEnsembleException e) {
      throw e;
    } catch (IOException e) {
      throw new CommandFailure(
          "Node " + removed.number() + " is not removed: " + e.getMessage(), e);
    }
  }

  /**
   * Gives nodes the votes that the ensemble lacks since nodes with votes were removed, as far as
   * there are nodes for that. All of them must serve; one in a process of its own restarts.
   *
   * @param says receives a line for each node that gets a vote
   */
  public void completeVotes(Duration limit, Consumer<String> says)
      throws IOException, CommandFailure, InterruptedException {
    new GridVotes(folder, this, Deadline.in(limit), says).complete();
  }

  /** Has a server host a node that has a process of its own; it restarts, and serves then. */
  void host(GridNode alone, Deadline deadline)
      throws IOException, CommandFailure, InterruptedException {
    int number = alone.number();
    stop(alone);
    launched.remove(number);
    nodes.set(nodes.indexOf(alone), new GridFiles(folder).writeHosted(number));
    start(number);
    awaitServing(number, deadline.left());
  }

  /**
   * The process of a node that was removed ends by itself, unless it hangs or a server hosts it.
   */
  private void end(GridNode removed) throws CommandFailure, IOException, InterruptedException {
    Optional<ServerProcess> process = removed.running();
    if (process.isPresent() && (removed.isHosted() || !process.get().awaitEnd(END_LIMIT))) {
      stop(removed);
    }
    removed.requireEnded(folder.dir());
  }

  private void stop(GridNode node) throws CommandFailure, IOException, InterruptedException {
    StopTogether stop = new StopTogether();
    stop.add("Node " + node.number(), PidFile.in(node.folder()));
    stop.stop(line -> {});
    node.requireEnded(folder.dir());
  }

  /** A node that ran before may hang, or learn of the new ones a moment later. */
  private void await(GridNode node, GridProbe probe, Deadline deadline)
      throws CommandFailure, IOException, InterruptedException {
    Launched started = launched.get(node.number());
    for (String objection = probe.objection(node.settings(), PROBE_LIMIT);
        objection != null;
        objection = probe.objection(node.settings(), PROBE_LIMIT)) {
      if (started != null) {
        new StartWait(started, "node " + node.number()).requireAlive();
      }
      if (deadline.passed()) {
        throw CommandFailure.withEvidence(
            "Node "
                + node.number()
                + " runs but does not serve in time: "
                + objection
                + "; its log is "
                + ServerOutput.in(node.folder()).log()
                + ".",
            started == null ? List.of() : started.output().tail(started.mark()));
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
    if (started != null) {
      // Another process may be the one that answers.
      new StartWait(started, "node " + node.number()).requireAlive();
    }
  }

  /** Waits until a node serves; it may have been started a moment ago. */
  public void awaitServing(int node, Duration limit)
      throws CommandFailure, IOException, InterruptedException {
    try (GridProbe probe = new GridProbe()) {
      await(node(node), probe, Deadline.in(limit));
    }
  }

  private GridNode node(int number) {
    return nodes.stream()
        .filter(each -> each.number() == number)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no node " + number));
  }

  List<GridNode> nodes() {
    return nodes;
  }

  /** Where clients connect: host:port of all nodes, with commas between them. */
  public String clients() {
    return GridFolder.clients(nodes);
  }

  /** The process id of a node. */
  public long pid(int node) throws CommandFailure {
    return process(node).pid();
  }

  private ServerProcess process(int node) throws CommandFailure {
    Launched started = launched.get(node);
    if (started != null) {
      return new ServerProcess(started.process().toHandle());
    }
    return node(node)
        .running()
        .orElseThrow(() -> new CommandFailure("Node " + node + " does not run."));
  }

  /** Starts a node that has ended, with what is in its folder; returns before it serves. */
  public synchronized void start(int node) throws IOException {
    GridNode own = node(node);
    if (ending) {
      throw new IOException("Interrupted before node " + node + " was started");
    }
    launched.put(node, ProcessLauncher.launch(own.program(), own.config(), own.folder(), lifetime));
  }

  /** SIGKILL; returns when the process has ended. */
  public void kill(int node) throws InterruptedException, CommandFailure {
    ServerProcess process = process(node);
    process.kill();
    if (!process.awaitEnd(KILL_LIMIT)) {
      throw new CommandFailure("Node " + node + " does not end after SIGKILL.");
    }
  }

  /** SIGSTOP: returns when every thread of the node stands still; connections stay open. */
  public void pause(int node) throws IOException, InterruptedException, CommandFailure {
    process(node).pause();
  }

  /** SIGCONT: a paused node goes on. */
  public void resume(int node) throws IOException, InterruptedException, CommandFailure {
    process(node).resume();
  }

  /** Lets the nodes outlive this JVM and this object. */
  void detach() {
    Runtime.getRuntime().removeShutdownHook(killAtExit);
    launched.clear();
  }

  private synchronized void killAll() {
    ending = true;
    launched.values().forEach(each -> each.process().destroyForcibly());
  }

  /** Ends every process that was started here, as a power cut would: none is given time. */
  @Override
  public void close() {
    killAll();
    for (Launched each : launched.values()) {
      each.process().onExit().join();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(killAtExit);
    } catch (IllegalStateException e) {
      // The JVM ends already, and the hook with it.
      return;
    }
  }
}
