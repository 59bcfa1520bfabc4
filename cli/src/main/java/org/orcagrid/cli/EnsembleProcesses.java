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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.orcagrid.cli.ProcessLauncher.Launched;
import org.orcagrid.cli.ProcessLauncher.Lifetime;

/**
 * A running ensemble: every server is a process of its own that can be stopped, killed, paused and
 * started again. Servers are named by their number, from 1.
 *
 * <p>Not safe for several threads at once. {@link #close()} ends every process that was started
 * here; so does the end of this JVM, unless it is killed.
 */
public final class EnsembleProcesses implements AutoCloseable {
  /** A server has five seconds to stop; then it is killed. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(6);

  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

  private final EnsembleSpec spec;
  private final Lifetime lifetime;
  private final List<EnsembleMember> members;

  /** By number less one; null until a server was started. Read by the hook's thread. */
  private final AtomicReferenceArray<Launched> launched;

  private final Thread killAtExit = new Thread(this::killAll, "orca-ensemble-kill");

  private EnsembleProcesses(EnsembleSpec spec, List<EnsembleMember> members, Lifetime lifetime) {
    this.spec = spec;
    this.members = List.copyOf(members);
    this.lifetime = lifetime;
    this.launched = new AtomicReferenceArray<>(members.size());
  }

  /**
   * Writes the files of the ensemble and starts every server; returns before they serve.
   *
   * @throws CommandFailure if the folder holds another ensemble, or a port is taken
   * @throws IOException if a file cannot be written or no process be started
   */
  public static EnsembleProcesses start(EnsembleSpec spec) throws IOException, CommandFailure {
    return start(spec, Lifetime.ATTACHED);
  }

  /**
   * Writes the files of the ensemble and starts no server, so that the caller may change files
   * first, or start some servers later or with other programs.
   *
   * @throws CommandFailure if the folder holds another ensemble, or a port is taken
   * @throws IOException if a file cannot be written
   */
  public static EnsembleProcesses prepare(EnsembleSpec spec) throws IOException, CommandFailure {
    return prepare(spec, Lifetime.ATTACHED);
  }

  private static EnsembleProcesses prepare(EnsembleSpec spec, Lifetime lifetime)
      throws IOException, CommandFailure {
    EnsembleProcesses ensemble = new EnsembleProcesses(spec, EnsembleFiles.write(spec), lifetime);
    Runtime.getRuntime().addShutdownHook(ensemble.killAtExit);
    return ensemble;
  }

  static EnsembleProcesses start(EnsembleSpec spec, Lifetime lifetime)
      throws IOException, CommandFailure {
    EnsembleProcesses ensemble = prepare(spec, lifetime);
    try {
      for (EnsembleMember member : ensemble.members) {
        ensemble.start(member.id());
      }
    } catch (IOException e) {
      ensemble.close();
      throw e;
    }
    return ensemble;
  }

  /** Returns the servers in the order of their numbers. */
  public List<EnsembleMember> members() {
    return members;
  }

  /** Returns one server's files and ports. */
  public EnsembleMember member(int id) {
    return members.get(id - 1);
  }

  /** Returns host:port of every server, separated by commas, as clients take it. */
  public String connectString() {
    return EnsembleMember.connectString(members);
  }

  /** Returns the last lines of what the server logged and printed, at most so many. */
  public List<String> said(int id, int lines) throws IOException {
    return member(id).said(lines);
  }

  /** Returns the server's process, which may have ended. */
  public ProcessHandle process(int id) {
    return launched(id).process().toHandle();
  }

  /** Returns whether the server's process runs; a paused one does. */
  public boolean running(int id) {
    return launched(id).process().isAlive();
  }

  /** Asks a server what it is doing; takes up to four seconds when it hangs. */
  public ServerProbe probe(int id) {
    return ServerProbe.of(member(id).clientAddress());
  }

  /** Returns the running server that says that it leads, if there is one. */
  public OptionalInt leader() {
    return members.stream()
        .mapToInt(EnsembleMember::id)
        .filter(id -> running(id) && probe(id).leads())
        .findFirst();
  }

  /**
   * Waits until a server leads and returns its number.
   *
   * @throws CommandFailure if that takes longer than {@code limit}, with the reason that was found
   */
  public int awaitLeader(Duration limit) throws CommandFailure, InterruptedException {
    OptionalInt[] found = {OptionalInt.empty()};
    boolean done =
        Deadline.in(limit)
            .await(
                () -> {
                  found[0] = leader();
                  return found[0].isPresent();
                });
    if (!done) {
      throw new CommandFailure(
          "No server of the ensemble in "
              + spec.dir()
              + " leads after "
              + limit.toSeconds()
              + " s; look at server-*/data/orca.log there.");
    }
    return found[0].getAsInt();
  }

  /**
   * Waits until a server leads and every server serves clients; returns the leader's number.
   *
   * @throws CommandFailure as soon as a process ends, with its reason; or when {@code limit} is
   *     over
   */
  public int awaitServing(Duration limit) throws CommandFailure, IOException, InterruptedException {
    long endNanos = System.nanoTime() + limit.toNanos();
    for (EnsembleMember member : members) {
      Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
      new StartWait(launched(member.id()), "server " + member.id())
          .await(left, () -> allStartedRun() && probe(member.id()).serving());
    }
    return awaitLeader(Duration.ofNanos(Math.max(0, endNanos - System.nanoTime())));
  }

  /** Starts a server that has ended, with the files that it has. */
  public void start(int id) throws IOException {
    start(id, spec.program());
  }

  /** As {@link #start(int)}, with another program than the ensemble's. */
  public void start(int id, ServerProgram program) throws IOException {
    if (launched.get(id - 1) != null && running(id)) {
      throw new IllegalStateException("Server " + id + " is running; stop or kill it first");
    }
    EnsembleMember member = member(id);
    launched.set(
        id - 1, ProcessLauncher.launch(program, member.zooCfg(), member.dataDir(), lifetime));
  }

  /** SIGTERM, and SIGKILL if the server has not ended after six seconds; returns when it has. */
  public void stop(int id) throws InterruptedException {
    terminate(id);
    awaitEnd(id);
  }

  /** SIGKILL; returns when the process has ended. */
  public void kill(int id) throws InterruptedException {
    serverProcess(id).kill();
    awaitEnd(id);
  }

  /** SIGSTOP: returns when every thread of the server stands still; connections stay open. */
  public void pause(int id) throws IOException, InterruptedException, CommandFailure {
    serverProcess(id).pause();
  }

  /** SIGCONT: a paused server goes on. */
  public void resume(int id) throws IOException, InterruptedException {
    serverProcess(id).resume();
  }

  /** Lets the servers outlive this JVM and this object; {@link #close()} then ends nothing. */
  void detach() {
    Runtime.getRuntime().removeShutdownHook(killAtExit);
    members.forEach(member -> launched.set(member.id() - 1, null));
  }

  /** Stops every server, all at the same time, and kills what has not ended after six seconds. */
  @Override
  public void close() {
    List<Integer> started = new ArrayList<>();
    for (EnsembleMember member : members) {
      if (launched.get(member.id() - 1) != null) {
        started.add(member.id());
        terminate(member.id());
      }
    }
    try {
      for (int id : started) {
        awaitEnd(id);
      }
    } catch (InterruptedException e) {
      killAll();
      Thread.currentThread().interrupt();
    }
    removeHook();
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(killAtExit);
    } catch (IllegalStateException e) {
      // The JVM is going down and the hook at work: it does what close() did, once more.
      killAll();
    }
  }

  private boolean allStartedRun() throws CommandFailure {
    for (EnsembleMember member : members) {
      if (!running(member.id())) {
        requireAlive(member.id());
      }
    }
    return true;
  }

  private void requireAlive(int id) throws CommandFailure {
    try {
      new StartWait(launched(id), "server " + id).requireAlive();
    } catch (IOException e) {
      throw new CommandFailure(
          "Server " + id + " has ended and its log in " + member(id).dataDir() + " cannot be read.",
          e);
    }
  }

  private void terminate(int id) {
    serverProcess(id).terminate();
  }

  private void awaitEnd(int id) throws InterruptedException {
    Process process = launched(id).process();
    if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
      if (!process.waitFor(KILL_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "Process " + process.pid() + " does not end after SIGKILL; its disk may hang");
      }
    }
  }

  private void killAll() {
    for (int i = 0; i < launched.length(); i++) {
      Launched one = launched.get(i);
      if (one != null) {
        one.process().destroyForcibly();
      }
    }
  }

  private ServerProcess serverProcess(int id) {
    return new ServerProcess(launched(id).process().toHandle());
  }

  private Launched launched(int id) {
    Launched one = launched.get(id - 1);
    if (one == null) {
      throw new IllegalStateException("Server " + id + " was never started here");
    }
    return one;
  }
}
