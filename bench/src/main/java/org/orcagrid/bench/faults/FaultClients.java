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
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.orcagrid.cli.EnsembleMember;
import org.orcagrid.examples.ensemble.ServerSessions;
import org.orcagrid.examples.ensemble.ServerSessions.Shown;
import org.orcagrid.simulator.checker.ExposedStates;

/** The clients of Table 3: they write items and read them, and every answer is judged. */
final class FaultClients implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Long enough for a lease to end, and for the server to give the read up. */
  private static final Duration PATIENCE_WITH_LAGGING = Duration.ofMillis(800);

  private final ServerSessions sessions;
  private ExposedStates states = new ExposedStates();
  private List<String> keys = List.of();
  private long rejected;
  private int written;

  FaultClients(List<EnsembleMember> members) {
    this.sessions = new ServerSessions(members);
  }

  /** What follows is judged by {@code judge}. */
  void judgeBy(ExposedStates judge) {
    states = judge;
  }

  /** Makes the items. */
  void prepare(int count) throws InterruptedException {
    keys = IntStream.range(0, count).mapToObj(n -> "/item" + n).toList();
    for (String key : keys) {
      sessions.create(1, key, "", PATIENCE);
    }
  }

  /** Gives every item a new value, through one server. */
  void write(int server) throws InterruptedException {
    for (String key : keys) {
      written++;
      sessions
          .write(server, key, Integer.toString(written), PATIENCE)
          .ifPresent(index -> states.onWrite(key, index));
    }
  }

  /** Reads every item at one server. */
  void read(int server) throws InterruptedException {
    read(server, PATIENCE);
  }

  /** The same, at a server that may not be able to answer. */
  void readOfLagging(int server) throws InterruptedException {
    read(server, PATIENCE_WITH_LAGGING);
  }

  private void read(int server, Duration patience) throws InterruptedException {
    for (String key : keys) {
      ExposedStates.Read read = states.begin(key);
      Optional<Shown> shown = sessions.read(server, key, patience);
      if (shown.isEmpty()) {
        rejected++;
        return;
      }
      states.end(read, shown.get().index(), "server " + server);
    }
  }

  /** How many reads were not answered in time, since the last call. */
  long takeRejected() {
    long count = rejected;
    rejected = 0;
    return count;
  }

  /** The session on a crashed server is of no use any more. */
  void onCrashed(int server) {
    sessions.forget(server);
  }

  @Override
  public void close() {
    sessions.close();
  }
}
