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
package org.orcagrid.bench.faults;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.orcagrid.examples.ensemble.ServerSessions;
import org.orcagrid.examples.location.LocationTracking;
import org.orcagrid.examples.location.LocationTracking.Sighting;
import org.orcagrid.simulator.checker.ExposedStates;
import org.orcagrid.simulator.checker.ExposedStates.Verdict;

/** Location tracking: each user for itself, since nobody compares where two users are. */
final class StudiedLocations implements StudiedUsers {
  private static final int SERVER_TO_JOIN = 1;
  private static final List<String> USERS =
      IntStream.range(0, 5).mapToObj(n -> "user" + n).toList();

  private final LocationTracking tracking;
  private final Map<String, ExposedStates> states = new HashMap<>();
  private int step;

  StudiedLocations(ServerSessions sessions) {
    this.tracking = new LocationTracking(sessions);
    USERS.forEach(user -> states.put(user, new ExposedStates()));
  }

  @Override
  public void join(Duration patience) throws InterruptedException {
    for (String user : USERS) {
      if (!tracking.join(SERVER_TO_JOIN, user, patience)) {
        throw new IllegalStateException("No server takes " + user);
      }
    }
  }

  @Override
  public void change(int server, SplittableRandom random, Duration patience)
      throws InterruptedException {
    String user = any(random);
    step++;
    tracking
        .move(server, user, step, patience)
        .ifPresent(index -> states.get(user).onWrite(user, index));
  }

  @Override
  public Optional<Verdict> look(int server, SplittableRandom random, Duration patience)
      throws InterruptedException {
    String user = any(random);
    ExposedStates judge = states.get(user);
    ExposedStates.Read read = judge.begin(user);
    Optional<Sighting> seen = tracking.locate(server, user, patience);
    return seen.map(sighting -> judge.end(read, sighting.index(), "server " + server));
  }

  private static String any(SplittableRandom random) {
    return USERS.get(random.nextInt(USERS.size()));
  }
}
