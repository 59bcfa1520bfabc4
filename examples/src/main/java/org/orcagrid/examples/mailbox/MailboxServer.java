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
package org.orcagrid.examples.mailbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.orcagrid.examples.demo.DemoServer;
import org.orcagrid.examples.demo.Loop;
import org.orcagrid.examples.demo.Opened;
import org.orcagrid.examples.demo.Shown;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.SessionToken;
import org.orcagrid.server.web.PageServer;

/** A mailbox in two datacenters, and the page that cuts the link between them. */
public final class MailboxServer implements Shown {
  /** From one scene of the story to the next. */
  public static final Duration PACE = Duration.ofSeconds(3);

  private static final long LOOK_MILLIS = 150;

  /** How much slower the page's button makes the link, one way. */
  private static final long DELAY_MILLIS = 300;

  private final Opened opened = new Opened();
  private final Duration pace;
  private TwoDatacenters datacenters;
  private Ann ann;
  private Story story;
  private PageServer pages;
  private volatile List<TwoDatacenters.Lag> lags = List.of();
  private volatile boolean playsByItself;
  private volatile boolean orOlder;
  private int written;

  private MailboxServer(boolean playsByItself, Duration pace) {
    this.playsByItself = playsByItself;
    this.pace = pace;
  }

  /**
   * Starts the datacenters and the page.
   *
   * @param folder gets the nodes' files
   * @param port of the page; 0 for any that is free
   * @param nodesPort of the first node; that of the other one follows
   * @param playsByItself whether the story is played from the beginning
   * @param pace from one scene of it to the next
   * @throws IOException if one of them cannot be started
   */
  public static MailboxServer start(
      Path folder, int port, int nodesPort, boolean playsByItself, Duration pace)
      throws IOException, InterruptedException {
    MailboxServer server = new MailboxServer(playsByItself, pace);
    try {
      server.begin(folder, port, nodesPort);
      return server;
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void begin(Path folder, int port, int nodesPort)
      throws IOException, InterruptedException {
    datacenters = TwoDatacenters.start(folder, nodesPort);
    opened.add(datacenters);
    ann = new Ann(datacenters, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE);
    story = new Story(datacenters, ann);
    lags = datacenters.lags();
    opened.add(Loop.start("mailbox-lags", this::look));
    serve(port);
    opened.add(Loop.start("mailbox-story", this::playAfterAWhile));
  }

  private void look() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    lags = datacenters.lags();
  }

  private void playAfterAWhile() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(pace.toMillis());
    if (playsByItself) {
      story.playNext();
    }
  }

  private void serve(int port) throws IOException {
    pages =
        PageServer.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .file("/", MailboxServer.class, "mailbox.html")
            .file("/page.js", MailboxServer.class, "mailbox.js")
            .file("/demo.js", DemoServer.class, "demo.js")
            .file("/demo.css", DemoServer.class, "demo.css")
            .library("lit-html", "lit-html.js")
            .library("picocss__pico", "css/pico.min.css")
            .json("/state", query -> state())
            .action("/act", this::act)
            .start();
    opened.add(pages);
  }

  private Map<String, Object> state() {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("plays", playsByItself);
    state.put("story", playsByItself ? story.now() : "");
    state.put("link", datacenters.link().text());
    state.put("delayMillis", DELAY_MILLIS);
    state.put("orOlder", orOlder);
    state.put("withinMillis", Ann.WITHIN.toMillis());
    state.put("friends", Story.FRIENDS);
    state.put("annAt", ann.at());
    state.put("lags", lags);
    state.put("columns", ann.columns().stream().map(Column::state).toList());
    state.put("cookieMax", SessionToken.LENGTH_MAX);
    return state;
  }

  private Map<String, Object> act(Map<String, String> wish) throws IOException {
    try {
      wish.forEach(this::act);
    } catch (GeoException e) {
      throw new IOException("It cannot be done now: " + e.getMessage(), e);
    }
    return Map.of("done", true);
  }

  private void act(String what, String which) {
    switch (what) {
      case "link" -> link(which);
      case "friend" -> {
        datacenters.client(which);
        datacenters.deliver(which, Ann.NAME, Story.FRIENDS.get(which), "Hello " + number());
      }
      case "note" -> ann.write(which, "Note to myself " + number());
      case "read" -> ann.read(which, orOlder);
      case "older" -> orOlder = !orOlder;
      case "forget" -> ann.forget();
      case "auto" -> playsByItself = !playsByItself;
      default -> throw new IllegalArgumentException("Nobody can do '" + what + "'");
    }
  }

  private void link(String how) {
    switch (how) {
      case "cut" -> datacenters.link().cut();
      case "delay" -> datacenters.link().delay(DELAY_MILLIS);
      case "mend" -> datacenters.link().mend();
      default ->
          throw new IllegalArgumentException(
              "A link cannot be '" + how + "'; choose from cut, delay, mend");
    }
  }

  private synchronized int number() {
    return ++written;
  }

  @Override
  public String address() {
    return "http://127.0.0.1:" + pages.port() + "/";
  }

  @Override
  public void close() {
    opened.close();
  }
}
