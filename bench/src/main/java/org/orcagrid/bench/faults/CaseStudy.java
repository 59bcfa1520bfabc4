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
import java.util.SplittableRandom;
import org.orcagrid.cli.EnsembleMember;
import org.orcagrid.examples.ensemble.ServerSessions;
import org.orcagrid.simulator.checker.ExposedStates.Verdict;

/**
 * Section 5.4 of the paper: users of an application, who connect to another server each time, while
 * servers go through sequences of faults. A look that a server does not answer is taken to another
 * server, as a stock client does.
 */
public final class CaseStudy implements FaultScript {
  private static final int STEPS = 30;
  private static final Duration START_PATIENCE = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration PATIENCE_WITH_LAGGING = Duration.ofMillis(800);

  /** What the users do. */
  public enum Application {
    /** A user moves as often as one is looked at four times. */
    LOCATION("location tracking", 0.2),
    /** The paper's mix: 70 % timelines and 30 % posts, which is 95 % reads for the store. */
    RETWIS("Retwis", 0.3);

    private final String title;
    private final double changes;

    Application(String title, double changes) {
      this.title = title;
      this.changes = changes;
    }

    /** Returns what people read. */
    public String title() {
      return title;
    }

    /** Returns a script of this application. */
    public FaultScript.Maker<CaseStudy> script(long seed) {
      return members -> new CaseStudy(this, members, seed);
    }
  }

  private final Application application;
  private final ServerSessions sessions;
  private final StudiedUsers users;
  private final SplittableRandom random;
  private CaseStudyOutcome outcome = CaseStudyOutcome.NONE;

  private CaseStudy(Application application, List<EnsembleMember> members, long seed)
      throws InterruptedException {
    this.application = application;
    this.sessions = new ServerSessions(members);
    this.random = new SplittableRandom(seed);
    this.users =
        switch (application) {
          case LOCATION -> new StudiedLocations(sessions);
          case RETWIS -> new StudiedTimelines(sessions);
        };
    users.join(START_PATIENCE);
  }

  /** Returns what was seen so far. */
  public CaseStudyOutcome outcome() {
    return outcome;
  }

  @Override
  public void before(List<Integer> prompt) throws InterruptedException {
    for (int step = 0; step < STEPS; step++) {
      step(prompt, any(prompt));
    }
  }

  @Override
  public void during(List<Integer> prompt, int lagging) throws InterruptedException {
    for (int step = 0; step < STEPS; step++) {
      boolean there = random.nextInt(prompt.size() + 1) == 0;
      step(prompt, there ? lagging : any(prompt));
    }
  }

  private void step(List<Integer> prompt, int server) throws InterruptedException {
    if (random.nextDouble() < application.changes) {
      users.change(any(prompt), random, PATIENCE);
      return;
    }
    Duration patience = prompt.contains(server) ? PATIENCE : PATIENCE_WITH_LAGGING;
    var seen = users.look(server, random, patience);
    long movedOn = 0;
    if (seen.isEmpty()) {
      seen = users.look(any(prompt), random, PATIENCE);
      movedOn = 1;
    }
    Verdict verdict = seen.orElse(null);
    outcome =
        outcome.plus(
            new CaseStudyOutcome(
                verdict == Verdict.WENT_BACK ? 1 : 0,
                verdict == Verdict.STALE ? 1 : 0,
                verdict == Verdict.LATEST ? 1 : 0,
                verdict == null ? 0 : movedOn,
                verdict == null ? 1 : 0));
  }

  private int any(List<Integer> servers) {
    return servers.get(random.nextInt(servers.size()));
  }

  @Override
  public void crashed(int server) {
    sessions.forget(server);
  }

  @Override
  public void allUp(List<Integer> servers) throws InterruptedException {
    before(servers);
  }

  @Override
  public void close() {
    sessions.close();
  }
}
