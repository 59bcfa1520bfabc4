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
package org.orcagrid.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.examples.demo.Demo;
import org.orcagrid.examples.demo.DemoServer;
import org.orcagrid.examples.ensemble.Store;
import org.orcagrid.examples.jobs.JobsServer;
import org.orcagrid.examples.location.LocationDemo;
import org.orcagrid.examples.mailbox.MailboxServer;
import org.orcagrid.examples.retwis.RetwisDemo;
import org.orcagrid.grid.Ports;
import org.orcagrid.needs.Needs;

/** What a user of the examples' pages sees. */
@Needs(Chromium.class)
@Timeout(240)
class ExamplePagesTest {
  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final int LAGS_MAX = 8;

  @TempDir Path dir;

  private DemoServer start(String page, Demo.Maker maker) throws Exception {
    return DemoServer.start(
        new DemoServer.Show(
            page, maker, List.of(Store.WEAK_ZK, Store.ORCA), dir.resolve("servers"), 0, false));
  }

  @Test
  void usersJumpBackOnTheWeakStoreAndNeverOnOurs() throws Exception {
    try (DemoServer server = start("location", LocationDemo::new);
        Browser browser = Browser.open(server.address(), dir.resolve("profile"))) {
      assertEquals("Location tracking", browser.title());
      browser.await("#orca .user", LIMIT, text -> text.contains("Ada"));
      browser.await("#weak-zk .user", LIMIT, text -> text.contains("Ada"));

      lagUntil(browser, "#weak-zk [data-jumps]");
      browser.picture("location");

      browser.click("#power");
      browser.await("#orca .servers em", LIMIT, text -> text.equals("a power cut"));
      browser.await("#orca .servers em", LIMIT, String::isEmpty);
      browser.await("#weak-zk .servers em", LIMIT, String::isEmpty);
      browser.click("#leader");
      browser.await("#orca .servers em", LIMIT, text -> text.contains("leader"));
      browser.await("#orca .servers em", LIMIT, String::isEmpty);

      assertEquals(List.of("0"), browser.textsOf("#orca [data-jumps]"));
      browser.assertNothingCameFromElsewhere(server.address());
    }
  }

  @Test
  void postsDisappearFromTheWeakStoreAndNeverFromOurs() throws Exception {
    try (DemoServer server = start("retwis", RetwisDemo::new);
        Browser browser = Browser.open(server.address(), dir.resolve("profile"))) {
      browser.await("#orca .post", LIMIT, text -> text.contains("#"));
      browser.type("#text", "Hello, whales");
      browser.click("#post");
      browser.await("#orca .timeline .post", LIMIT, text -> text.contains("Hello, whales"));
      browser.await("#weak-zk .timeline .post", LIMIT, text -> text.contains("Hello, whales"));

      lagUntil(browser, "#weak-zk [data-gone]");
      browser.picture("retwis");

      assertEquals(List.of("0"), browser.textsOf("#orca [data-gone]"));
      browser.assertNothingCameFromElsewhere(server.address());
    }
  }

  @Test
  void jobsAreLostInMemoryAndNeverFromTheDurableQueue() throws Exception {
    try (JobsServer server = JobsServer.start(dir.resolve("nodes"), 0, Ports.base(), false);
        Browser browser = Browser.open(server.address(), dir.resolve("profile"))) {
      assertEquals("Jobs", browser.title());
      browser.await("#durable [data-taken]", LIMIT, text -> Integer.parseInt(text) > 20);
      // More than the polls that are under way when the nodes are killed may take with them.
      browser.await("#memory [data-waiting]", LIMIT, text -> Integer.parseInt(text) > 20);
      browser.click("#power");
      browser.await(".servers em", LIMIT, text -> text.equals("all nodes are killed"));
      browser.await(".servers em", LIMIT, String::isEmpty);
      browser.await("#memory [data-lost]", LIMIT, text -> Integer.parseInt(text) > 0);
      browser.picture("jobs");
      int before = Integer.parseInt(browser.textsOf("#durable [data-taken]").get(0));
      browser.await("#durable [data-taken]", LIMIT, text -> Integer.parseInt(text) > before + 100);
      assertEquals(List.of("0"), browser.textsOf("#durable [data-lost]"));
      assertEquals(List.of("0"), browser.textsOf("#durable [data-twice]"));
      browser.assertNothingCameFromElsewhere(server.address());
    }
  }

  @Test
  void mailsVanishFromEventualReadsAndNeverFromTheSessions() throws Exception {
    Duration pace = Duration.ofSeconds(1);
    try (MailboxServer server =
            MailboxServer.start(dir.resolve("nodes"), 0, Ports.base(), false, pace);
        Browser browser = Browser.open(server.address(), dir.resolve("profile"))) {
      assertEquals("Mailbox", browser.title());
      browser.await("#link", LIMIT, text -> text.equals("link up"));
      browser.click("#cut");
      browser.await("#link", LIMIT, text -> text.equals("link cut"));
      browser.click("#friend-west");
      browser.await("[data-lag='east']", LIMIT, text -> text.equals("1"));
      browser.click("#read-west");
      browser.await("#eventual .mails .post", LIMIT, text -> text.contains("Bob Hello 1"));
      browser.await("#session .mails .post", LIMIT, text -> text.contains("Bob Hello 1"));
      browser.click("#note-west");
      browser.await("[data-lag='east']", LIMIT, text -> text.equals("2"));

      browser.click("#read-east");
      browser.await("#session .result", LIMIT, text -> text.contains("Not yet in east"));
      browser.await("#session .result", LIMIT, text -> text.contains("writes of west"));
      browser.await("#eventual .gone .post", LIMIT, text -> text.contains("Bob Hello 1"));
      browser.await("#session .mails .post", LIMIT, text -> text.contains("Bob Hello 1"));
      assertEquals(List.of("1"), browser.textsOf("#eventual [data-count='vanished']"));
      assertEquals(List.of("1"), browser.textsOf("#eventual [data-count='own']"));
      browser.picture("mailbox");

      browser.click("#older");
      browser.await("#older", LIMIT, text -> text.contains("show what is there"));
      browser.click("#read-east");
      browser.await("#session .result", LIMIT, text -> text.contains("Older, in east"));
      browser.await("#session .awaited .post", LIMIT, text -> text.contains("Bob Hello 1"));

      browser.click("#mend");
      browser.await("[data-lag='east']", LIMIT, text -> text.equals("0"));
      browser.click("#read-east");
      browser.await("#session .result", LIMIT, text -> text.startsWith("In east"));
      browser.await("#session .mails .post", LIMIT, text -> text.contains("Note to myself 2"));
      browser.await("#session [data-carried]", LIMIT, text -> Integer.parseInt(text) > 0);
      browser.await("#session [data-cookie]", LIMIT, text -> Integer.parseInt(text) > 0);
      assertEquals(List.of("0"), browser.textsOf("#session [data-count='vanished']"));
      assertEquals(List.of("0"), browser.textsOf("#session [data-count='own']"));

      browser.click("#auto");
      browser.await(".servers em", LIMIT, text -> text.contains("Ann flies back"));
      browser.await(".servers em", LIMIT, text -> text.startsWith("The link is mended"));
      browser.await("#session .result", LIMIT, text -> text.startsWith("In east"));
      assertEquals(List.of("0"), browser.textsOf("#session [data-count='vanished']"));
      assertEquals(List.of("0"), browser.textsOf("#session [data-count='own']"));
      browser.assertNothingCameFromElsewhere(server.address());
    }
  }

  /**
   * Cuts a follower off, again and again, until the weak store has shown it: only who sees
   * something at another server and then asks the one that lags notices anything.
   */
  private static void lagUntil(Browser browser, String count) {
    for (int lags = 0; lags < LAGS_MAX && !isAnyPositive(browser, count); lags++) {
      browser.click("#lag");
      browser.await("#weak-zk .servers em", LIMIT, text -> text.contains("cut off"));
      browser.await("#weak-zk .servers em", LIMIT, String::isEmpty);
      browser.await("#orca .servers em", LIMIT, String::isEmpty);
    }
    assertTrue(isAnyPositive(browser, count), () -> count + " is 0 after " + LAGS_MAX + " lags");
  }

  private static boolean isAnyPositive(Browser browser, String count) {
    return browser.textsOf(count).stream().anyMatch(text -> Integer.parseInt(text) > 0);
  }
}
