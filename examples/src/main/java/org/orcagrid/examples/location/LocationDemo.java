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
package org.orcagrid.examples.location;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.orcagrid.examples.demo.Demo;
import org.orcagrid.examples.demo.Loop;
import org.orcagrid.examples.ensemble.FaultyEnsemble;
import org.orcagrid.examples.ensemble.ServerSessions;
import org.orcagrid.examples.location.LocationTracking.Sighting;

/** Users who move along a route, and somebody who looks, each time at another server. */
public final class LocationDemo implements Demo {
  private static final List<String> USERS = List.of("Ada", "Barbara", "Edsger", "Grace");
  private static final long PACE_MILLIS = 120;
  private static final Duration PATIENCE = Duration.ofMillis(600);

  private final FaultyEnsemble ensemble;
  private final ServerSessions movers;
  private final ServerSessions lookers;
  private final Map<String, View> views = new ConcurrentHashMap<>();
  private final List<Loop> loops = new ArrayList<>();
  private final SplittableRandom moverChoice = new SplittableRandom();
  private final SplittableRandom lookerChoice = new SplittableRandom();
  private int step;

  /**
   * What has been seen of a user.
   *
   * @param shown the step that was shown last
   * @param furthest the furthest that was ever shown
   * @param jumps how often an earlier one was shown than before
   * @param back how far the last jump went back
   */
  private record View(int shown, int furthest, int jumps, int back) {
    View then(int next) {
      boolean jumped = next < shown;
      return new View(
          next, Math.max(furthest, next), jumped ? jumps + 1 : jumps, jumped ? shown - next : back);
    }
  }

  /** Begins to move the users. */
  public LocationDemo(FaultyEnsemble ensemble) throws InterruptedException {
    this.ensemble = ensemble;
    this.movers = new ServerSessions(ensemble.members());
    this.lookers = new ServerSessions(ensemble.members());
    LocationTracking tracking = new LocationTracking(movers);
    for (String user : USERS) {
      if (!tracking.join(ensemble.up().get(0), user, Duration.ofSeconds(20))) {
        throw new IllegalStateException("No server takes user " + user);
      }
      views.put(user, new View(0, 0, 0, 0));
    }
    loops.add(Loop.start("demo-move", () -> move(tracking)));
    LocationTracking looking = new LocationTracking(lookers);
    for (int server : ensemble.up()) {
      // A session cannot be begun at a server that is cut off: there is one with each beforehand.
      looking.locate(server, USERS.get(0), Duration.ofSeconds(20));
    }
    loops.add(Loop.start("demo-look", () -> look(looking)));
  }

  private void move(LocationTracking tracking) throws InterruptedException {
    step++;
    for (String user : USERS) {
      List<Integer> servers = ensemble.prompt();
      if (!servers.isEmpty()) {
        int server = servers.get(moverChoice.nextInt(servers.size()));
        tracking.move(server, user, step, PATIENCE);
      }
    }
    TimeUnit.MILLISECONDS.sleep(PACE_MILLIS);
  }

  private void look(LocationTracking looking) throws InterruptedException {
    for (String user : USERS) {
      List<Integer> servers = ensemble.up();
      if (!servers.isEmpty()) {
        int server = servers.get(lookerChoice.nextInt(servers.size()));
        Optional<Sighting> seen = looking.locate(server, user, PATIENCE);
        seen.ifPresent(
            sighting -> views.computeIfPresent(user, (name, view) -> view.then(sighting.step())));
      }
    }
    TimeUnit.MILLISECONDS.sleep(PACE_MILLIS);
  }

  @Override
  public Map<String, Object> state() {
    List<Map<String, Object>> users = new ArrayList<>();
    int jumps = 0;
    for (Map.Entry<String, View> each : new TreeMap<>(views).entrySet()) {
      View view = each.getValue();
      Map<String, Object> user = new LinkedHashMap<>();
      user.put("name", each.getKey());
      user.put("step", view.shown());
      user.put("furthest", view.furthest());
      user.put("jumps", view.jumps());
      user.put("back", view.back());
      users.add(user);
      jumps += view.jumps();
    }
    return Map.of("users", users, "jumps", jumps);
  }

  @Override
  public void act(Map<String, String> wish) {
    throw new IllegalArgumentException("The users of the map walk by themselves");
  }

  @Override
  public void close() {
    loops.forEach(Loop::close);
    movers.close();
    lookers.close();
  }
}
