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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.orcagrid.examples.ensemble.ServerSessions;
import org.orcagrid.examples.retwis.Retwis;
import org.orcagrid.examples.retwis.Retwis.Post;
import org.orcagrid.examples.retwis.Retwis.Timeline;
import org.orcagrid.simulator.checker.ExposedStates;
import org.orcagrid.simulator.checker.ExposedStates.Verdict;

/**
 * Retwis: a timeline is as bad as the worst of its parts, one for each user followed. Everybody
 * follows seven others, so that a timeline is eight reads.
 */
final class StudiedTimelines implements StudiedUsers {
  private static final int SERVER_TO_JOIN = 1;
  private static final List<String> USERS =
      IntStream.range(0, 8).mapToObj(n -> "user" + n).toList();

  private final Retwis retwis;
  private final Map<String, ExposedStates> states = new HashMap<>();
  private long number;

  StudiedTimelines(ServerSessions sessions) {
    this.retwis = new Retwis(sessions);
    USERS.forEach(user -> states.put(user, new ExposedStates()));
  }

  @Override
  public void join(Duration patience) throws InterruptedException {
    for (String user : USERS) {
      if (!retwis.register(SERVER_TO_JOIN, user, patience)) {
        throw new IllegalStateException("No server takes " + user);
      }
    }
    for (String user : USERS) {
      retwis.follow(SERVER_TO_JOIN, user, othersThan(user), patience);
    }
  }

  private static List<String> othersThan(String user) {
    return USERS.stream().filter(other -> !other.equals(user)).toList();
  }

  @Override
  public void change(int server, SplittableRandom random, Duration patience)
      throws InterruptedException {
    String author = any(random);
    number++;
    retwis
        .post(server, new Post(number, author, "post " + number), patience)
        .ifPresent(index -> states.get(author).onWrite(author, index));
  }

  @Override
  public Optional<Verdict> look(int server, SplittableRandom random, Duration patience)
      throws InterruptedException {
    String user = any(random);
    List<ExposedStates.Read> reads = new ArrayList<>();
    for (String author : othersThan(user)) {
      reads.add(states.get(author).begin(author));
    }
    Optional<Timeline> timeline = retwis.timeline(server, user, patience);
    return timeline.map(seen -> worst(reads, seen, "server " + server));
  }

  private Verdict worst(List<ExposedStates.Read> reads, Timeline timeline, String by) {
    Verdict worst = Verdict.LATEST;
    for (ExposedStates.Read read : reads) {
      // An author whom a timeline does not have: the node that says who is followed went back.
      long index = timeline.indexes().getOrDefault(read.key(), -1L);
      Verdict verdict = states.get(read.key()).end(read, index, by);
      if (verdict.compareTo(worst) > 0) {
        worst = verdict;
      }
    }
    return worst;
  }

  private static String any(SplittableRandom random) {
    return USERS.get(random.nextInt(USERS.size()));
  }
}
