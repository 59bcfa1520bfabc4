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
package org.orcagrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.client.concurrent.GridQueue;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.ClientAdmission;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TestCertificates;
import org.orcagrid.transport.tcp.TlsSettings;

/** Three nodes with TCP between them, and clients of both kinds; all in one JVM. */
@Timeout(120)
class TcpGridTest extends TcpGridFixture {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyModeDoesWhatItsNameSays(boolean remote) throws Exception {
    start();
    View<String, String> view = session(remote).view(Codec.STRING, Codec.STRING);
    assertNull(view.get("key"));
    view.set("key", "a");
    assertEquals("a", view.get("key"));
    view.setRelease("key", "b");
    assertEquals("b", view.getAcquire("key"));
    assertEquals("b", view.getAndSet("key", "c"));
    assertFalse(view.compareAndSet("key", "x", "d"));
    assertTrue(view.compareAndSet("key", "c", "d"));
    assertFalse(view.weakCompareAndSet("key", "x", "e"));
    assertEquals("d", view.compareAndExchange("key", "x", "f"));
    assertEquals(0, view.getAndAdd("number", 5));
    assertEquals(5, view.getAndAdd("number", -2));
    view.set("key", null);
    assertNull(view.get("key"));
    assertThrows(NotANumberException.class, () -> addToText(view));
    String large = "x".repeat(4096);
    view.setRelease("large", large);
    assertEquals(large, view.getAcquire("large"));
    assertThrows(IllegalArgumentException.class, () -> view.set("too large", large + "x"));
  }

  private static void addToText(View<String, String> view) {
    view.set("text", "no number");
    view.getAndAdd("text", 1);
  }

  @Test
  void aProgramThatJoinsServesNoConsoleAndSaysSo() throws Exception {
    choosePlaces(1);
    NodeSettings asks = settings(0).withConsole(new HostPort("localhost", 1));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> join(0, asks));
    assertTrue(refused.getMessage().startsWith("grid.console.port: "), refused::getMessage);
    assertThrows(IllegalArgumentException.class, () -> Grid.join(asks.withEnsemble("nowhere:1")));
    join(0, settings(0));
    awaitServing();
  }

  @Test
  void whatOneReleasesAnotherAcquiresWithAllBeforeIt() throws Exception {
    start();
    int rounds = 500;
    GridSession producing = session(true);
    GridSession consuming = members.get(2).openSession();
    opened.add(consuming);
    CompletableFuture<Void> producer =
        CompletableFuture.runAsync(
            () -> {
              View<String, Long> view = producing.view(Codec.STRING, Codec.LONG);
              for (long round = 1; round <= rounds; round++) {
                view.set("a", round);
                view.set("b", round);
                view.setRelease("flag", round);
              }
            },
            threads);
    View<String, Long> view = consuming.view(Codec.STRING, Codec.LONG);
    long seen = 0;
    while (seen < rounds) {
      Long flag = view.getAcquire("flag");
      seen = flag == null ? 0 : flag;
      assertTrue(view.getLong("a", 0) >= seen, "what was written before the flag");
      assertTrue(view.getLong("b", 0) >= seen, "what was written before the flag");
    }
    producer.get(60, TimeUnit.SECONDS);
  }

  @Test
  void requestsInABatchAreAnsweredInOrder() throws Exception {
    start();
    int count = 20_000;
    GridSession session = session(true);
    KeyView<String, Long> view = session.view(Codec.STRING, Codec.LONG);
    CountDownLatch done = new CountDownLatch(2 * count);
    AtomicInteger wrong = new AtomicInteger();
    for (long i = 0; i < count; i++) {
      long written = i;
      session.awaitRoom();
      view.setAsync("key" + i % 7, i, answer -> done.countDown());
      session.awaitRoom();
      view.getAsync(
          "key" + i % 7,
          answer -> {
            if (answer.longValue(-1) != written) {
              wrong.incrementAndGet();
            }
            done.countDown();
          });
    }
    assertTrue(done.await(60, TimeUnit.SECONDS));
    assertEquals(0, wrong.get(), "a session reads what it has written");
  }

  @Test
  void aQueueLosesAndDoublesNothing() throws Exception {
    start();
    int each = 200;
    List<CompletableFuture<List<String>>> polled = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      GridSession session = i == 0 ? members.get(0).openSession() : session(true);
      opened.add(session);
      int number = i;
      polled.add(CompletableFuture.supplyAsync(() -> offerAndPoll(session, number, each), threads));
    }
    List<String> all = new ArrayList<>();
    for (CompletableFuture<List<String>> some : polled) {
      all.addAll(some.get(100, TimeUnit.SECONDS));
    }
    GridQueue<String> rest = new GridQueue<>(session(false), "jobs", Codec.STRING);
    for (String job = rest.poll(); job != null; job = rest.poll()) {
      all.add(job);
    }
    assertEquals(NODES * each, all.size());
    assertEquals(NODES * each, all.stream().collect(Collectors.toSet()).size());
  }

  private static List<String> offerAndPoll(GridSession session, int number, int count) {
    GridQueue<String> queue = new GridQueue<>(session, "jobs", Codec.STRING);
    List<String> polled = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      queue.offer(number + "/" + i);
      String job = queue.poll();
      if (job != null) {
        polled.add(job);
      }
    }
    return polled;
  }

  @Test
  void aSessionEndsWithItsNodeAndAnotherOneOpensElsewhere() throws Exception {
    start();
    RemoteGrid remote = connect(nodes, null);
    List<GridSession> sessions = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      sessions.add(remote.openSession());
    }
    View<String, String> survivor = sessions.get(0).view(Codec.STRING, Codec.STRING);
    survivor.setRelease("key", "kept");
    members.get(1).close();
    int ended = 0;
    for (GridSession each : sessions) {
      ended += endsWithItsNode(each) ? 1 : 0;
    }
    assertEquals(1, ended, "one session was at that node");
    try (GridSession again = remote.openSession()) {
      assertEquals("kept", again.view(Codec.STRING, Codec.STRING).getAcquire("key"));
    }
  }

  private static boolean endsWithItsNode(GridSession session) {
    View<String, String> view = session.view(Codec.STRING, Codec.STRING);
    try {
      assertEquals("kept", view.getAcquireAsync("key").toCompletableFuture().join());
      return false;
    } catch (CompletionException e) {
      // It was on its way, or not sent yet, or the loss was known before it began.
      assertTrue(
          e.getCause() instanceof OutcomeUnknownException
              || e.getCause() instanceof NotDoneException
              || (e.getCause() instanceof IllegalStateException
                  && e.getCause().getMessage().contains("open another session")),
          () -> e.getCause().toString());
    }
    assertThrows(IllegalStateException.class, () -> view.getAcquire("key"));
    return true;
  }

  @Test
  void aGridWorksWhileAMajorityOfItDoes() throws Exception {
    start();
    View<String, Long> view = session(false).view(Codec.STRING, Codec.LONG);
    view.setRelease("key", 1L);
    // Nobody agrees that it is gone: the others are a majority of the nodes, not all of them.
    views.close();
    members.get(2).close();
    view.set("before", 7L);
    view.setRelease("key", 2L);
    assertEquals(2L, view.getAcquire("key"));
    assertEquals(0, view.getAndAdd("number", 1));
  }

  @Test
  void nodesThatDifferRefuseEachOther() throws Exception {
    choosePlaces(2);
    MemberGrid one = join(0, settings(0));
    MemberGrid other = join(1, settings("other", 1));
    awaitRefusal(one, "it belongs to the grid \"test\", and this node to \"other\"");
    awaitRefusal(other, "it belongs to the grid \"test\", and this node to \"other\"");
  }

  @Test
  void nodesOfOtherSettingsRefuseEachOther() throws Exception {
    choosePlaces(2);
    MemberGrid one = join(0, settings(0));
    join(1, settings(1).withKeys(keys(SESSIONS + 1)));
    awaitRefusal(one, "16 sessions each");
    awaitRefusal(one, "17 sessions each");
  }

  private static void awaitRefusal(MemberGrid grid, String text) {
    await(
        text,
        () -> {
          assertNull(grid.failure(), "a node that refuses another goes on");
          return grid.lastRefusal() != null && grid.lastRefusal().contains(text);
        });
  }

  @Test
  void clientsOfAnotherGridAreToldSo() throws Exception {
    start();
    RemoteGrid.Settings wrong =
        new RemoteGrid.Settings(nodes, "other", null, Duration.ofSeconds(30));
    IllegalStateException e = assertThrows(IllegalStateException.class, () -> Grid.connect(wrong));
    assertTrue(
        e.getMessage().contains("it belongs to the grid \"other\", and this node to \"test\""),
        e.getMessage());
  }

  @Test
  void aNodeMayTakeNoClients() throws Exception {
    choosePlaces(NODES);
    join(0, settings(0).withSecurity(PortSecurity.NONE.withClients(ClientAdmission.NONE)));
    List<HostPort> first = nodes.subList(0, 1);
    IllegalStateException e = assertThrows(IllegalStateException.class, () -> connect(first, null));
    assertTrue(e.getMessage().contains("this node takes no clients"), e.getMessage());
  }

  @Test
  void aPortInUseIsToldAtTheStart() throws Exception {
    choosePlaces(NODES);
    try (ServerSocket taken = new ServerSocket(nodes.get(0).port())) {
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> join(0, settings(0)), taken::toString);
      assertTrue(e.getMessage().contains(nodes.get(0).toString()), e.getMessage());
    }
  }

  @Test
  void allSessionsInUseIsToldToTheClient() throws Exception {
    start();
    RemoteGrid remote = connect(nodes, null);
    for (int i = 0; i < SESSIONS * NODES - 1; i++) {
      remote.openSession();
    }
    openLastSession(remote);
    IllegalStateException e = assertThrows(IllegalStateException.class, remote::openSession);
    assertTrue(e.getMessage().contains("sessions of this node are in use"), e.getMessage());
  }

  /** The session that the connection was tried with is free again when its node has ended it. */
  private static void openLastSession(RemoteGrid remote) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try {
        remote.openSession();
        return;
      } catch (IllegalStateException e) {
        assertTrue(System.nanoTime() < end, e::getMessage);
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void withTlsOnlyCertificatesOfTheGridAreTalkedTo(@TempDir Path folder) throws Exception {
    TlsSettings grid = TestCertificates.make(folder.resolve("grid"));
    TlsSettings stranger = TestCertificates.make(folder.resolve("stranger"));
    start(PortSecurity.ofTls(grid));
    try (GridSession session = connect(nodes, grid).openSession()) {
      View<byte[], byte[]> view = session.bytes();
      byte[] key = "key".getBytes(StandardCharsets.UTF_8);
      view.setRelease(key, new byte[4096]);
      assertEquals(4096, view.getAcquire(key).length);
    }
    assertThrows(IllegalStateException.class, () -> connect(nodes, stranger));
    assertThrows(IllegalStateException.class, () -> connect(nodes, null));
  }

  @Test
  void whoDoesNotKnowTheSecretIsNoNode(@TempDir Path folder) throws Exception {
    choosePlaces(NODES);
    Path secret = secret(folder, "one", "a secret of the grid's nodes");
    Path wrong = secret(folder, "two", "the secret of another grid");
    PortSecurity known = PortSecurity.NONE.withSecret(secret);
    PortSecurity ofClients = known.withClients(ClientAdmission.SECRET);
    join(0, settings(0).withSecurity(ofClients));
    join(1, settings(1).withSecurity(known));
    // It is in the view, and the others do not talk to it.
    MemberGrid stranger = join(2, settings(2).withSecurity(PortSecurity.NONE.withSecret(wrong)));
    awaitRefusal(stranger, "refused: it does not know the secret");
    RemoteGrid.Settings first =
        new RemoteGrid.Settings(nodes.subList(0, 1), "test", null, Duration.ofSeconds(30));
    try (RemoteGrid grid = Grid.connect(first.withSecret(secret));
        GridSession session = grid.openSession().timeout(PATIENCE)) {
      session.view(Codec.STRING, Codec.STRING).setRelease("key", "value");
    }
    try (GridSession session = connect(nodes.subList(1, 2), null).openSession().timeout(PATIENCE)) {
      assertEquals("value", session.view(Codec.STRING, Codec.STRING).getAcquire("key"));
    }
    assertTrue(refusalOf(first).contains("it has no secret, and this node asks for one"));
    RemoteGrid.Settings strange = first.withSecret(wrong);
    assertTrue(refusalOf(strange).contains("it does not know the secret"), refusalOf(strange));
    stranger.close();
    MemberGrid open = join(2, settings(2));
    awaitRefusal(open, "refused: it has a secret to prove, and this node has none");
  }

  private static String refusalOf(RemoteGrid.Settings settings) {
    return assertThrows(IllegalStateException.class, () -> Grid.connect(settings)).getMessage();
  }

  private static Path secret(Path folder, String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }
}
