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

import static org.orcagrid.examples.mailbox.TwoDatacenters.EAST;
import static org.orcagrid.examples.mailbox.TwoDatacenters.WEST;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What happens to Ann, scene by scene, and then again with the datacenters exchanged. Whoever plays
 * it decides when the next scene begins. For one thread; any thread may ask what is played.
 */
final class Story {
  /** Who writes to her, by datacenter. */
  static final Map<String, String> FRIENDS = Map.of(WEST, "Bob", EAST, "Eve");

  /** How much slower the slow link is, one way. */
  static final long SLOW_MILLIS = 150;

  private static final Duration CATCH_UP_MAX = Duration.ofSeconds(20);

  private final TwoDatacenters datacenters;
  private final Ann ann;
  private final List<Scene> scenes =
      List.of(
          new Scene("The link is up. %3$s writes in %1$s. Ann reads in %1$s.", this::begin),
          new Scene(
              "The link is slow. %3$s writes in %1$s, Ann reads it there, flies to %2$s and reads.",
              this::flyWhileSlow),
          new Scene(
              "The link is cut. %3$s writes in %1$s, Ann reads it there and writes a note.",
              this::cut),
          new Scene(
              "The link is cut. Ann flies to %2$s and reads: her session says what is missing.",
              this::flyWhileCut),
          new Scene(
              "The link is cut. In %2$s Ann takes what is there; her session says how old it is.",
              this::takeOlder),
          new Scene(
              "The link is cut. Ann flies back to %1$s and reads: there her session has all.",
              this::flyBack),
          new Scene(
              "The link is mended. Ann flies to %2$s and reads: all mails have come.", this::mend));
  private int next;
  private String here = WEST;
  private String there = EAST;
  private volatile String now = "";

  /** What happens, with the datacenter where it begins, the other one, and who writes. */
  private record Scene(String title, Action action) {}

  @FunctionalInterface
  private interface Action {
    void play() throws InterruptedException;
  }

  Story(TwoDatacenters datacenters, Ann ann) {
    this.datacenters = datacenters;
    this.ann = ann;
  }

  /** What is played, or was last. */
  String now() {
    return now;
  }

  /** Plays a scene; returns whether it was the last one of a round. */
  boolean playNext() throws InterruptedException {
    Scene scene = scenes.get(next);
    now = String.format(scene.title(), here, there, FRIENDS.get(here));
    boolean isLast = next + 1 == scenes.size();
    next = isLast ? 0 : next + 1;
    try {
      scene.action().play();
    } finally {
      if (isLast) {
        String before = here;
        here = there;
        there = before;
      }
    }
    return isLast;
  }

  private void begin() throws InterruptedException {
    datacenters.link().mend();
    awaitCaughtUp();
    friend("Good morning");
    ann.read(here, false);
  }

  private void flyWhileSlow() {
    datacenters.link().delay(SLOW_MILLIS);
    friend("Lunch at one?");
    ann.read(here, false);
    ann.read(there, false);
  }

  private void cut() {
    datacenters.link().cut();
    friend("Bring the tickets");
    ann.read(here, false);
    ann.write(here, "Note to myself: gate 12");
  }

  private void flyWhileCut() {
    datacenters.link().cut();
    ann.read(there, false);
  }

  private void takeOlder() {
    datacenters.link().cut();
    ann.read(there, true);
  }

  private void flyBack() {
    datacenters.link().cut();
    ann.read(here, false);
  }

  private void mend() throws InterruptedException {
    datacenters.link().mend();
    awaitCaughtUp();
    ann.read(there, false);
  }

  private void friend(String text) {
    datacenters.deliver(here, Ann.NAME, FRIENDS.get(here), text);
  }

  private void awaitCaughtUp() throws InterruptedException {
    if (!datacenters.awaitCaughtUp(CATCH_UP_MAX)) {
      throw new IllegalStateException(
          "The datacenters have not caught up in "
              + CATCH_UP_MAX.toSeconds()
              + " s: the link is "
              + datacenters.link().text()
              + ", "
              + datacenters.lags());
    }
  }
}
