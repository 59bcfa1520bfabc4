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

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import org.orcagrid.geo.session.ReadGuarantee;

/** Plays the story without a page, and says what was counted. */
public final class MailboxCheck {
  private static final int ROUNDS = 4;

  private MailboxCheck() {}

  /**
   * Plays it a few times.
   *
   * @param folder gets the nodes' files
   * @param nodesPort of the first node; that of the other one follows
   * @param console is told each scene and the counts
   * @return what went wrong, empty if all was as promised
   * @throws IOException if a node cannot be started
   */
  public static String run(Path folder, int nodesPort, PrintWriter console)
      throws IOException, InterruptedException {
    return run(folder, nodesPort, console, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE);
  }

  /** The same with another guarantee of the session's reads, for tests of the check. */
  static String run(Path folder, int nodesPort, PrintWriter console, ReadGuarantee guarantee)
      throws IOException, InterruptedException {
    try (TwoDatacenters datacenters = TwoDatacenters.start(folder, nodesPort)) {
      Ann ann = new Ann(datacenters, guarantee);
      Story story = new Story(datacenters, ann);
      String wrong = "";
      for (int round = 1; round <= ROUNDS && wrong.isEmpty(); round++) {
        boolean isOver = false;
        while (!isOver) {
          isOver = story.playNext();
          console.println(story.now());
          console.flush();
        }
        wrong = wrongAfterARound(ann);
      }
      tell(ann, console);
      return wrong.isEmpty() ? wrongAtTheEnd(ann) : wrong;
    }
  }

  private static String wrongAfterARound(Ann ann) {
    Reading last = ann.session().last();
    if (!ann.session().counts().areZero()) {
      return "A guarantee of the session broke: " + ann.session().counts();
    }
    if (!last.isInTime()) {
      return "The session is not served though the link is mended: " + last.message();
    }
    return "";
  }

  /** A check in which nothing could have happened shows nothing. */
  private static String wrongAtTheEnd(Ann ann) {
    Sightings.Counts eventual = ann.eventual().counts();
    if (eventual.vanished() == 0 || eventual.ownNotSeen() == 0) {
      return "The eventual reads have shown everything, so the link was not cut: " + eventual;
    }
    if (ann.session().notInTime() == 0 || ann.session().older() == 0) {
      return "No read of the session was late, so the link was not cut";
    }
    return "";
  }

  private static void tell(Ann ann, PrintWriter console) {
    console.println();
    line(console, "reads", "vanished", "own not seen", "in time", "older, said so", "not in time");
    for (Column each : ann.columns()) {
      Sightings.Counts counts = each.counts();
      line(
          console,
          each.id(),
          counts.vanished(),
          counts.ownNotSeen(),
          each.inTime(),
          each.older(),
          each.notInTime());
    }
    console.flush();
  }

  private static void line(PrintWriter console, Object... cells) {
    console.printf(Locale.ROOT, "%-10s %10s %14s %9s %16s %13s%n", cells);
  }
}
