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
package org.orcagrid.examples.groups;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.orcagrid.mixed.store.StoreException;

/** Plays posts, slow replicas and dying applications without a page, and says what was counted. */
public final class GroupsCheck {
  private static final int ROUNDS = 4;
  private static final long REST_MILLIS = 100;
  private static final long REST_TIMES = 200;

  private GroupsCheck() {}

  /**
   * Plays it a few times.
   *
   * @param folder gets the servers' files
   * @param console is told the counts
   * @return what went wrong, empty if all was as promised
   * @throws IOException if a server cannot be started
   */
  public static String run(Path folder, PrintWriter console)
      throws IOException, InterruptedException {
    try (Regions regions = Regions.start(folder);
        Way naive = new NaiveWay(regions);
        Way mixed = new MixedWay(regions)) {
      List<Tally> tallies = List.of(new Tally(naive), new Tally(mixed));
      for (int round = 1; round <= ROUNDS; round++) {
        round(regions, tallies, round);
      }
      regions.slow("");
      String wrong = wrong(tallies);
      console.println(Tally.heading());
      tallies.forEach(each -> console.println(each));
      console.flush();
      return wrong;
    } catch (StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static void round(Regions regions, List<Tally> tallies, int round) {
    List<String> names = new ArrayList<>(Regions.NAMES);
    for (Tally each : tallies) {
      regions.slow("");
      each.post("east", "Hello " + round, false);
      each.read("west");
      regions.slow("south");
      each.post("west", "Re: Hello " + round, false);
      each.read("south");
      regions.slow("");
      each.post("east", "Last words " + round, true);
      names.forEach(each::read);
    }
  }

  /** Everything has come to rest: what was counted is there, once. */
  private static String wrong(List<Tally> tallies) throws InterruptedException {
    Tally naive = tallies.get(0);
    Tally mixed = tallies.get(1);
    String missing = "";
    for (int times = 0; times < REST_TIMES; times++) {
      missing = missing(mixed);
      if (missing.isEmpty()) {
        break;
      }
      TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
    }
    if (!missing.isEmpty()) {
      return missing;
    } else if (mixed.half() > 0 || mixed.doubled() > 0) {
      return "A mixed transaction was seen half, or is there twice";
    } else if (missing(naive).isEmpty() || naive.half() == 0 || naive.doubled() == 0) {
      return "The naive code has lost and doubled nothing, so nothing was shown";
    }
    return "";
  }

  private static String missing(Tally tally) {
    for (String each : Regions.NAMES) {
      Way.Sight sight = tally.way().read(each);
      if (!sight.isThere()) {
        return each + " does not have all in time: " + sight.message();
      } else if (sight.missing() > 0 || sight.count() < sight.inbox().size()) {
        return sight.count() + " posts are counted, and in " + each + " are " + sight.inbox();
      }
    }
    return "";
  }
}
