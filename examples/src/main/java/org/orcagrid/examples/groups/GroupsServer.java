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
package org.orcagrid.examples.groups;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.orcagrid.examples.demo.DemoServer;
import org.orcagrid.examples.demo.Loop;
import org.orcagrid.examples.demo.Opened;
import org.orcagrid.examples.demo.Shown;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.server.web.PageServer;

/** Message Groups in three regions, and the page that slows one, or lets an application die. */
public final class GroupsServer implements Shown {
  private static final long PACE_MILLIS = 1_200;

  private final Opened opened = new Opened();
  private final List<Tally> tallies = new ArrayList<>();
  private final Random random = new Random();
  private Regions regions;
  private PageServer pages;
  private volatile boolean playsByItself;
  private int written;

  private GroupsServer(boolean playsByItself) {
    this.playsByItself = playsByItself;
  }

  /**
   * Starts the servers and the page.
   *
   * @param folder gets the servers' files
   * @param port of the page; 0 for any that is free
   * @param playsByItself whether things happen by themselves from the beginning
   * @throws IOException if one of them cannot be started
   */
  public static GroupsServer start(Path folder, int port, boolean playsByItself)
      throws IOException, InterruptedException {
    GroupsServer server = new GroupsServer(playsByItself);
    try {
      server.begin(folder, port);
      return server;
    } catch (StoreException e) {
      server.close();
      throw new IOException(e.getMessage(), e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void begin(Path folder, int port)
      throws IOException, InterruptedException, StoreException {
    regions = Regions.start(folder);
    opened.add(regions);
    Way naive = new NaiveWay(regions);
    opened.add(naive);
    Way mixed = new MixedWay(regions);
    opened.add(mixed);
    tallies.add(new Tally(naive));
    tallies.add(new Tally(mixed));
    pages =
        PageServer.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .file("/", GroupsServer.class, "groups.html")
            .file("/page.js", GroupsServer.class, "groups.js")
            .file("/demo.js", DemoServer.class, "demo.js")
            .file("/demo.css", DemoServer.class, "demo.css")
            .library("lit-html", "lit-html.js")
            .library("picocss__pico", "css/pico.min.css")
            .json("/state", query -> state())
            .action("/act", this::act)
            .start();
    opened.add(pages);
    opened.add(Loop.start("groups-story", this::playAfterAWhile));
  }

  private void playAfterAWhile() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(PACE_MILLIS);
    if (playsByItself) {
      post(any(), random.nextInt(6) == 0);
      Regions.NAMES.forEach(this::read);
    }
  }

  private String any() {
    return Regions.NAMES.get(random.nextInt(Regions.NAMES.size()));
  }

  private synchronized String text() {
    return "Hello " + ++written;
  }

  private void post(String region, boolean dies) {
    String text = text();
    tallies.forEach(each -> each.post(region, text, dies));
  }

  private void read(String region) {
    tallies.forEach(each -> each.read(region));
  }

  private Map<String, Object> state() {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("plays", playsByItself);
    state.put("slow", regions.slow());
    state.put("names", Regions.NAMES);
    state.put("ways", tallies.stream().map(Tally::state).toList());
    return state;
  }

  private Map<String, Object> act(Map<String, String> wish) {
    wish.forEach(this::act);
    return Map.of("done", true);
  }

  private void act(String what, String which) {
    switch (what) {
      case "post" -> post(which, false);
      case "die" -> post(which, true);
      case "read" -> read(which);
      case "slow" -> regions.slow(which.equals(regions.slow()) ? "" : which);
      case "auto" -> playsByItself = !playsByItself;
      default -> throw new IllegalArgumentException("Nobody can do '" + what + "'");
    }
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
