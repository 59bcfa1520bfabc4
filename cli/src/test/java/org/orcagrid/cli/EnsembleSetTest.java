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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Settings of an ensemble of processes change while stock clients write. */
@Timeout(300)
class EnsembleSetTest {
  private static final int CLIENTS = 3;
  private static final int WAIT_SECONDS_MAX = 60;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  @TempDir Path folder;

  /**
   * A client that creates nodes, one after the other, and knows which of them were acknowledged.
   */
  private static final class Writer extends Thread {
    private final int number;
    private final ZooKeeper client;
    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<String> unknown = new ConcurrentLinkedQueue<>();
    private final Queue<Exception> errors = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    Writer(int number, String servers) throws Exception {
      this.number = number;
      this.client = connect(servers);
    }

    @Override
    public void run() {
      for (int i = 0; !stopped; i++) {
        String path = "/w" + number + "-" + i;
        try {
          client.create(path, new byte[10], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
          acknowledged.add(path.substring(1));
          // The servers that start need the processors, too.
          LockSupport.parkNanos(PAUSE_NANOS);
        } catch (KeeperException.ConnectionLossException e) {
          // Usual when a server stops: whether this one was written is not known.
          unknown.add(path);
        } catch (KeeperException | InterruptedException e) {
          errors.add(e);
        }
      }
    }

    void end() throws InterruptedException {
      stopped = true;
      join();
      client.close();
    }
  }

  private static ZooKeeper connect(String servers) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            servers,
            30_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    assertTrue(connected.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
    return client;
  }

  private Cli ensemble(String word, Object... more) {
    List<Object> words = new ArrayList<>(List.of("ensemble", word, "--dir", folder));
    words.addAll(List.of(more));
    return Cli.run(words.toArray());
  }

  private static int leader(List<EnsembleMember> members) {
    return members.stream()
        .filter(member -> ServerProbe.of(member.clientAddress()).leads())
        .findFirst()
        .orElseThrow()
        .id();
  }

  private static long pid(EnsembleMember member) throws CommandFailure {
    return PidFile.in(member.dataDir()).running().orElseThrow().pid();
  }

  private void set(List<EnsembleMember> members, String... settings) throws Exception {
    int led = leader(members);
    Cli cli = ensemble("set", (Object[]) settings);
    assertEquals(0, cli.exitCode(), cli::toString);
    List<String> said = cli.out().lines().toList();
    assertEquals(members.size(), said.size(), cli.out());
    assertTrue(said.get(members.size() - 1).startsWith("Server " + led + ": "), cli.out());
    for (EnsembleMember member : members) {
      for (String setting : settings) {
        assertEquals(
            !setting.endsWith("="), Files.readAllLines(member.zooCfg()).contains(setting), setting);
      }
    }
  }

  @Test
  void noAcknowledgedWriteIsLostWhileModesChange() throws Exception {
    assertEquals(0, ensemble("start", 3, "--set", "tickTime=1000").exitCode());
    List<Writer> writers = new ArrayList<>();
    try {
      List<EnsembleMember> members = EnsembleFiles.read(folder);
      String servers = EnsembleMember.connectString(members);
      for (int i = 0; i < CLIENTS; i++) {
        writers.add(new Writer(i, servers));
        writers.get(i).start();
      }
      set(members, "orca.durability=sync");
      set(members, "orca.durability=", "orca.replication=active-set");
      set(members, "orca.replication=", "orca.readers=all", "orca.durability=async");
      for (Writer writer : writers) {
        writer.end();
        assertEquals(List.of(), List.copyOf(writer.errors));
        assertTrue(writer.acknowledged.size() > 10, "writes " + writer.acknowledged.size());
        assertTrue(writer.unknown.size() < 100, "lost connections " + writer.unknown.size());
      }
      try (ZooKeeper client = connect(servers)) {
        Set<String> there = new HashSet<>(client.getChildren("/", false));
        for (Writer writer : writers) {
          List<String> lost = new ArrayList<>(writer.acknowledged);
          lost.removeAll(there);
          assertEquals(List.of(), lost, "of " + writer.acknowledged.size());
        }
      }
      Cli again = ensemble("set", "orca.readers=all");
      assertTrue(again.out().contains("nothing was changed"), again::toString);
    } finally {
      for (Writer writer : writers) {
        writer.end();
      }
      assertEquals(0, ensemble("stop").exitCode());
    }
  }

  @Test
  void theFirstThatDoesNotComeUpEndsIt() throws Exception {
    assertEquals(0, ensemble("start", 3, "--set", "tickTime=1000").exitCode());
    try {
      List<EnsembleMember> members = EnsembleFiles.read(folder);
      List<Long> before = pids(members);
      Cli wrong = ensemble("set", "orca.durability=never");
      assertEquals(1, wrong.exitCode(), wrong::toString);
      assertTrue(wrong.err().contains("never"), wrong.err());
      assertEquals(before, pids(members), "nothing was stopped");
      String file = Files.readString(members.get(0).zooCfg());
      int led = leader(members);
      int first = led == 1 ? 2 : 1;
      Cli failed = ensemble("set", "serverCnxnFactory=org.example.None");
      assertEquals(1, failed.exitCode(), failed::toString);
      for (String part :
          List.of(
              "Server " + first + " did not become healthy",
              "Its old zoo.cfg is back, and it serves again.",
              "With the new values: none; with the old ones: Server 1, Server 2, Server 3")) {
        assertTrue(failed.err().contains(part), failed.err());
      }
      assertEquals(file, Files.readString(members.get(0).zooCfg()));
      assertEquals(0, ensemble("status").exitCode());
      assertNotEquals(before.get(first - 1), pid(members.get(first - 1)));

      EnsembleMember other = members.get(6 - led - first - 1);
      Cli one = Cli.run("server", "set", other.zooCfg(), "orca.flushIntervalMs=20");
      assertEquals(0, one.exitCode(), one::toString);
      assertTrue(one.out().contains("orca.flushIntervalMs=20, follower"), one.out());
      assertNotEquals(before.get(other.id() - 1), pid(other));
    } finally {
      assertEquals(0, ensemble("stop").exitCode());
    }
  }

  @Test
  void whatWasSetOutlivesAStop() throws Exception {
    Object[] majority = {3, "--set", "tickTime=1000", "--set", "orca.activeSetSize=majority"};
    assertEquals(0, ensemble("start", majority).exitCode());
    try {
      List<EnsembleMember> members = EnsembleFiles.read(folder);
      // Until the leader restarts, one of the followers gets no lease.
      set(members, "orca.activeSetSize=all", "orca.durability=sync");
      assertEquals(0, ensemble("stop").exitCode());
      Cli start = ensemble("start", 3, "--set", "orca.activeSetSize=all");
      assertEquals(0, start.exitCode(), start::toString);
      assertTrue(
          start.out().startsWith("Kept from before, in zoo.cfg: orca.durability, tickTime (--set"),
          start.out());
      assertEquals(members, EnsembleFiles.read(folder));
      for (EnsembleMember member : members) {
        List<String> lines = Files.readAllLines(member.zooCfg());
        assertTrue(lines.contains("orca.durability=sync"), lines::toString);
      }
    } finally {
      assertEquals(0, ensemble("stop").exitCode());
    }
  }

  /** Standard output that kills a server once the first one has its new values. */
  private static final class Killing extends StringWriter {
    private final String word;
    private final ServerProcess victim;

    Killing(String word, ServerProcess victim) {
      this.word = word;
      this.victim = victim;
    }

    @Override
    public void flush() {
      if (toString().contains(word)) {
        victim.kill();
      }
    }
  }

  @Test
  void noServerIsStoppedWhileAnotherIsDown() throws Exception {
    assertEquals(0, ensemble("start", 3, "--set", "tickTime=1000").exitCode());
    try {
      List<EnsembleMember> members = EnsembleFiles.read(folder);
      int led = leader(members);
      int first = led == 1 ? 2 : 1;
      int second = 6 - led - first;
      long leads = pid(members.get(led - 1));
      Killing out =
          new Killing(
              "Server " + first + ": ",
              PidFile.in(members.get(second - 1).dataDir()).running().orElseThrow());
      StringWriter err = new StringWriter();
      String[] words = {"ensemble", "set", "--dir", folder.toString(), "orca.flushIntervalMs=20"};
      int status =
          Orca.commandLine()
              .setOut(new PrintWriter(out))
              .setErr(new PrintWriter(err))
              .execute(words);
      assertEquals(1, status, err::toString);
      for (String part :
          List.of(
              "Server " + second + " does not serve clients any more",
              "With the new values: Server " + first + "; with the old ones: Server ")) {
        assertTrue(err.toString().contains(part), err.toString());
      }
      assertEquals(leads, pid(members.get(led - 1)), "the leader was not stopped");
    } finally {
      assertEquals(0, ensemble("stop").exitCode());
    }
  }

  private static List<Long> pids(List<EnsembleMember> members) throws CommandFailure {
    List<Long> pids = new ArrayList<>();
    for (EnsembleMember member : members) {
      pids.add(pid(member));
    }
    return pids;
  }
}
