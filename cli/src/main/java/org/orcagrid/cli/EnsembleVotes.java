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
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.admin.ZooKeeperAdmin;
import org.apache.zookeeper.data.Stat;
import org.orcagrid.membership.zookeeper.EnsembleConfig;

/**
 * Who votes in an ensemble that runs, and changes of that by ZooKeeper's reconfiguration. The
 * ensemble itself refuses one after which it would have no quorum.
 */
final class EnsembleVotes implements AutoCloseable {
  /** With one voter ZooKeeper's servers run alone, and take no other one in again. */
  private static final int VOTERS_MIN = 2;

  private static final int NOBODY = -1;

  private static final int SESSION_TIMEOUT_MS = 10_000;
  private static final long ANSWER_SECONDS_MAX = 10;
  private static final long AGAIN_MILLIS = 100;

  private final String servers;
  private final Deadline deadline;
  private final ZooKeeperAdmin admin;

  private EnsembleVotes(String servers, Deadline deadline, ZooKeeperAdmin admin) {
    this.servers = servers;
    this.deadline = deadline;
    this.admin = admin;
  }

  /**
   * Connects.
   *
   * @param servers host:port of some, with commas between them; of those that stay
   * @param credential the superuser's, if it is known
   */
  static EnsembleVotes connect(String servers, Optional<byte[]> credential, Deadline deadline)
      throws CommandFailure, IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeperAdmin admin =
        new ZooKeeperAdmin(
            servers,
            SESSION_TIMEOUT_MS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    EnsembleVotes votes = new EnsembleVotes(servers, deadline, admin);
    boolean answers = false;
    try {
      credential.ifPresent(each -> admin.addAuthInfo("digest", each));
      answers = deadline.await(() -> connected.getCount() == 0);
    } finally {
      if (!answers) {
        votes.close();
      }
    }
    if (!answers) {
      throw new CommandFailure(
          "No server of the ensemble at "
              + servers
              + " answers; a majority of its voters must run.");
    }
    return votes;
  }

  /** The ensemble's servers, as the last reconfiguration has left them. */
  EnsembleConfig now() throws CommandFailure, InterruptedException {
    try {
      return ask();
    } catch (KeeperException e) {
      throw new CommandFailure(
          "The ensemble at " + servers + " cannot be asked for its servers: " + e.getMessage(), e);
    }
  }

  private EnsembleConfig ask() throws KeeperException, InterruptedException {
    CompletableFuture<Integer> synced = new CompletableFuture<>();
    admin.sync(ZooDefs.CONFIG_NODE, (code, path, context) -> synced.complete(code), null);
    // The client answers within its session's time-out, with a lost connection at the latest.
    int lost = KeeperException.Code.OPERATIONTIMEOUT.intValue();
    int code = synced.completeOnTimeout(lost, ANSWER_SECONDS_MAX, TimeUnit.SECONDS).join();
    if (code != KeeperException.Code.OK.intValue()) {
      throw KeeperException.create(KeeperException.Code.get(code), ZooDefs.CONFIG_NODE);
    }
    return EnsembleConfig.parse(admin.getConfig(false, new Stat()));
  }

  /**
   * Takes a server out of the ensemble, unless it is out.
   *
   * @return what the ensemble is then
   * @throws CommandFailure if it must stay, with the fix
   */
  EnsembleConfig take(int server) throws CommandFailure, InterruptedException {
    EnsembleConfig before = now();
    requireLeavable(before, server);
    return change(null, server);
  }

  /** Gives a server a vote that follows the ensemble without one. */
  EnsembleConfig give(EnsembleMember joining) throws CommandFailure, InterruptedException {
    return change(joining, NOBODY);
  }

  /** Both at once: there is never a voter less. */
  EnsembleConfig pass(int leaving, EnsembleMember joining)
      throws CommandFailure, InterruptedException {
    return change(joining, leaving);
  }

  /** Fails if an ensemble cannot go on without one of its servers. */
  static void requireLeavable(EnsembleConfig config, int server) throws CommandFailure {
    if (config.servers().isEmpty()) {
      throw new CommandFailure(
          "The ensemble is one server, and this node is part of it: without it there is no grid."
              + " Begin a grid of three nodes or more, whose ensemble can lose one: 'orca grid"
              + " start 3' with another --dir.");
    }
    SortedSet<Integer> voters = config.voters();
    if (voters.contains(server) && voters.size() <= VOTERS_MIN) {
      throw new CommandFailure(
          "The ensemble's voters are "
              + names(config.voters())
              + ": with fewer than two it would be a server alone. Give it another voter first: a"
              + " node that 'orca grid add' adds gets a vote; on other machines, add a server.");
    }
  }

  private EnsembleConfig change(EnsembleMember joining, int leaving)
      throws CommandFailure, InterruptedException {
    String line = joining == null ? null : "server." + joining.id() + "=" + joining.line();
    String id = leaving == NOBODY ? null : Integer.toString(leaving);
    while (true) {
      KeeperException inTheWay;
      try {
        EnsembleConfig is = ask();
        if ((joining == null || is.voters().contains(joining.id())) && !is.has(leaving)) {
          return is;
        }
        admin.reconfigure(line, is.has(leaving) ? id : null, null, -1, new Stat());
        continue;
      } catch (KeeperException e) {
        inTheWay = e;
      }
      if (!isPassing(inTheWay) || deadline.passed()) {
        String words = (id == null ? "" : " -remove " + id) + (line == null ? "" : " -add " + line);
        throw refused(servers, "reconfig" + words, inTheWay);
      }
      TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
    }
  }

  /** Whether asking again may help: who joins catches up first, and a leader may be elected. */
  private static boolean isPassing(KeeperException e) {
    return switch (e.code()) {
      case CONNECTIONLOSS, OPERATIONTIMEOUT, NEWCONFIGNOQUORUM, RECONFIGINPROGRESS -> true;
      default -> false;
    };
  }

  /**
   * Why an ensemble was not reconfigured, and what helps.
   *
   * @param words what ZooKeeper's shell would be told
   */
  static CommandFailure refused(String servers, String words, KeeperException e) {
    String what = "The ensemble at " + servers;
    String fix =
        switch (e.code()) {
          case NOAUTH ->
              " lets nobody but its superuser change its servers. Run 'orca cli -server "
                  + servers
                  + "', there 'addauth digest super:PASSWORD' and '"
                  + words
                  + "'; then repeat this command.";
          case RECONFIGDISABLED ->
              " does not change its servers while it runs. Restart one server after the other with"
                  + " reconfigEnabled=true in its zoo.cfg (those of 'orca grid start': 'orca grid"
                  + " stop', and start it again); then repeat this command.";
          case NEWCONFIGNOQUORUM ->
              " would have no quorum after '"
                  + words
                  + "': start the voters that do not run; then repeat this command.";
          default -> " has not done '" + words + "': " + e.getMessage() + "; repeat this command.";
        };
    return new CommandFailure(what + fix, e);
  }

  /** What an ensemble's voters are, and what it can lose. */
  static String describe(EnsembleConfig config) {
    SortedSet<Integer> voters = config.voters();
    if (voters.isEmpty()) {
      return "The ensemble is one server: while that is away no node can come or go.";
    }
    String names = "The ensemble's voters are " + names(voters) + ": ";
    return config.losses() == 0
        ? names
            + "it needs all of them. While one is away, no node can come or go, and a grid that"
            + " loses a node waits."
        : names + "it goes on while " + (voters.size() - config.losses()) + " of them run.";
  }

  private static String names(SortedSet<Integer> servers) {
    String all = servers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return (servers.size() == 1 ? "server " : "servers ") + all;
  }

  @Override
  public void close() throws InterruptedException {
    admin.close();
  }
}
