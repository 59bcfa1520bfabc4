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
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.orcagrid.examples.ensemble.FaultyEnsemble;

/** Does to an ensemble, one after the other, what its users should never notice. */
final class Faults implements AutoCloseable {
  private static final long CUT_OFF_MILLIS = 2_500;
  private static final long DOWN_MILLIS = 700;

  private final FaultyEnsemble ensemble;
  private final BlockingQueue<Kind> wanted = new ArrayBlockingQueue<>(1);
  private final Loop loop;
  private volatile String now = "";

  /** What can happen to servers. */
  enum Kind {
    /** A follower is cut off for a while. */
    LAG("a follower is cut off"),
    /** The leader crashes and comes back. */
    LEADER("the leader has crashed"),
    /** All servers crash at once and come back. */
    POWER("a power cut");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /**
     * Returns the kind of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Kind named(String name) {
      for (Kind each : values()) {
        if (each.name().toLowerCase(Locale.ROOT).equals(name)) {
          return each;
        }
      }
      throw new IllegalArgumentException("There is no fault '" + name + "'");
    }
  }

  Faults(FaultyEnsemble ensemble) {
    this.ensemble = ensemble;
    this.loop = Loop.start("demo-faults", () -> cause(wanted.take()));
  }

  /** Returns whether it will be done; not while another one is waiting. */
  boolean offer(Kind kind) {
    return wanted.offer(kind);
  }

  /** Returns what is the matter, nothing when all is well. */
  String now() {
    return now;
  }

  private void cause(Kind kind) throws IOException, InterruptedException {
    now = kind.title;
    try {
      switch (kind) {
        case LAG -> cutOff();
        case LEADER -> {
          OptionalInt leader = ensemble.leader();
          if (leader.isPresent()) {
            crash(List.of(leader.getAsInt()));
          }
        }
        case POWER -> crash(ensemble.up());
      }
      ensemble.awaitServing();
    } finally {
      now = "";
    }
  }

  private void cutOff() throws InterruptedException {
    OptionalInt leader = ensemble.leader();
    ensemble.up().stream()
        .filter(id -> leader.isEmpty() || id != leader.getAsInt())
        .findFirst()
        .ifPresent(ensemble::hold);
    try {
      TimeUnit.MILLISECONDS.sleep(CUT_OFF_MILLIS);
    } finally {
      ensemble.release();
    }
  }

  private void crash(List<Integer> victims) throws IOException, InterruptedException {
    for (int id : victims) {
      ensemble.crash(id);
    }
    TimeUnit.MILLISECONDS.sleep(DOWN_MILLIS);
    for (int id : victims) {
      ensemble.recover(id);
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
