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
package org.orcagrid.examples.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.orcagrid.examples.ensemble.FaultyEnsemble;
import org.orcagrid.examples.ensemble.Store;
import org.orcagrid.server.web.PageServer;

/**
 * An application on several stores side by side, and its page. The same faults happen to all of
 * them, at the wish of the page's user or by themselves every few seconds.
 */
public final class DemoServer implements Shown {
  private static final int SERVERS = 3;
  private static final long FAULT_EVERY_MILLIS = 6_000;

  private final List<Side> sides = new ArrayList<>();
  private volatile boolean faultsByThemselves;
  private PageServer pages;
  private Loop script;

  /** One store with its application and its faults. */
  private record Side(Store store, FaultyEnsemble ensemble, Demo demo, Faults faults) {

    Map<String, Object> state() {
      Map<String, Object> state = new LinkedHashMap<>();
      state.put("id", store.id());
      state.put("title", store.title());
      state.put("settings", store.settings());
      state.put("fault", faults.now());
      List<Map<String, Object>> servers = new ArrayList<>();
      List<Integer> up = ensemble.up();
      for (int id = 1; id <= ensemble.count(); id++) {
        String is = !up.contains(id) ? "crashed" : ensemble.held() == id ? "cut off" : "up";
        servers.add(Map.of("id", id, "is", is));
      }
      state.put("servers", servers);
      state.putAll(demo.state());
      return state;
    }

    void close() {
      faults.close();
      demo.close();
      ensemble.close();
    }
  }

  /**
   * What is shown and how.
   *
   * @param page the name of the page and its script, without their suffixes
   * @param maker makes the application on a store
   * @param stores side by side
   * @param folder gets the servers' files
   * @param port of the page; 0 for any that is free
   * @param faults whether faults happen by themselves from the beginning
   */
  public record Show(
      String page, Demo.Maker maker, List<Store> stores, Path folder, int port, boolean faults) {

    /** Keeps a copy. */
    public Show {
      stores = List.copyOf(stores);
    }
  }

  private DemoServer(boolean faults) {
    this.faultsByThemselves = faults;
  }

  /**
   * Starts the servers, the application and the page.
   *
   * @throws IOException if one of them cannot be started
   */
  public static DemoServer start(Show show) throws IOException, InterruptedException {
    DemoServer server = new DemoServer(show.faults());
    try {
      for (Store store : show.stores()) {
        FaultyEnsemble ensemble =
            FaultyEnsemble.start(
                store.title(), store.settings(), SERVERS, show.folder().resolve(store.id()));
        Demo demo;
        try {
          demo = show.maker().on(ensemble);
        } catch (InterruptedException | RuntimeException e) {
          ensemble.close();
          throw e;
        }
        server.sides.add(new Side(store, ensemble, demo, new Faults(ensemble)));
      }
      server.serve(show);
      server.script = Loop.start("demo-script", server::faultAfterAWhile);
      return server;
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void serve(Show show) throws IOException {
    pages =
        PageServer.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), show.port()))
            .file("/", DemoServer.class, show.page() + ".html")
            .file("/page.js", DemoServer.class, show.page() + ".js")
            .file("/demo.js", DemoServer.class, "demo.js")
            .file("/demo.css", DemoServer.class, "demo.css")
            .library("lit-html", "lit-html.js")
            .library("picocss__pico", "css/pico.min.css")
            .json("/state", query -> state())
            .action("/fault", this::fault)
            .action("/act", this::act)
            .start();
  }

  private Map<String, Object> state() {
    return Map.of("faults", faultsByThemselves, "sides", sides.stream().map(Side::state).toList());
  }

  private Map<String, Object> fault(Map<String, String> wish) {
    String kind = wish.getOrDefault("kind", "");
    if (kind.equals("auto")) {
      faultsByThemselves = !faultsByThemselves;
      return Map.of("done", true);
    }
    return Map.of("done", offerToAll(Faults.Kind.named(kind)));
  }

  private boolean offerToAll(Faults.Kind kind) {
    boolean done = true;
    for (Side side : sides) {
      done &= side.faults().offer(kind);
    }
    return done;
  }

  private Map<String, Object> act(Map<String, String> wish) {
    sides.forEach(side -> side.demo().act(wish));
    return Map.of("done", true);
  }

  private int faultsCaused;

  private void faultAfterAWhile() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(FAULT_EVERY_MILLIS);
    if (faultsByThemselves) {
      Faults.Kind[] kinds = Faults.Kind.values();
      offerToAll(kinds[faultsCaused % kinds.length]);
      faultsCaused++;
    }
  }

  @Override
  public String address() {
    return "http://127.0.0.1:" + pages.port() + "/";
  }

  @Override
  public void close() {
    if (script != null) {
      script.close();
    }
    if (pages != null) {
      pages.close();
    }
    sides.forEach(Side::close);
  }
}
