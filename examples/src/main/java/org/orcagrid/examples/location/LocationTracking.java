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
import java.util.Optional;
import org.orcagrid.examples.ensemble.ServerSessions;

/**
 * Users say where they are, others look. A user is a node that holds the number of steps that the
 * user has gone along a route, so that going back can be told from going on.
 *
 * <p>For one thread.
 */
public final class LocationTracking {
  private static final String ROOT = "/locations";

  private final ServerSessions sessions;

  /** Users with these sessions. */
  public LocationTracking(ServerSessions sessions) {
    this.sessions = sessions;
  }

  /**
   * Where somebody was seen.
   *
   * @param step how far along the route; -1 if the user is not there at all
   * @param index of the change that was seen, -1 for none
   */
  public record Sighting(int step, long index) {}

  /** Returns the node of a user. */
  public static String path(String user) {
    return ROOT + "/" + user;
  }

  /** Puts a user at the beginning of the route; returns whether that could be done in time. */
  public boolean join(int server, String user, Duration patience) throws InterruptedException {
    return sessions.create(server, ROOT, "", patience)
        && sessions.create(server, path(user), "0", patience);
  }

  /** Says where a user is; returns the index of the change, or empty if nobody knows in time. */
  public Optional<Long> move(int server, String user, int step, Duration patience)
      throws InterruptedException {
    return sessions.write(server, path(user), Integer.toString(step), patience);
  }

  /** Looks where a user is; empty if the server does not say so in time. */
  public Optional<Sighting> locate(int server, String user, Duration patience)
      throws InterruptedException {
    return sessions
        .read(server, path(user), patience)
        .map(
            shown ->
                new Sighting(
                    shown.text().isEmpty() ? -1 : Integer.parseInt(shown.text()), shown.index()));
  }
}
