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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a user has seen and written, and what a mailbox lacks of it. The mails of a datacenter have
 * consecutive numbers, and only the oldest are dropped: a mail is missing if its number is greater
 * than all that are shown. Not for use by many threads.
 */
final class Sightings {
  private final Set<Mail> seen = new HashSet<>();
  private final Set<Mail> own = new HashSet<>();

  /** Those that are counted already, until they are shown again. */
  private final Set<Mail> gone = new HashSet<>();

  private int vanished;
  private int ownNotSeen;

  /**
   * What was never to happen.
   *
   * @param vanished mails that had been shown and then were not
   * @param ownNotSeen mails of the user's own that were not shown to the user
   */
  record Counts(int vanished, int ownNotSeen) {
    boolean areZero() {
      return vanished == 0 && ownNotSeen == 0;
    }
  }

  /** The user has written a mail. */
  void wrote(Mail mail) {
    own.add(mail);
  }

  /**
   * A mailbox was shown.
   *
   * @param mails in it
   * @param isTold whether the user was told that some may be missing; then none is counted
   * @return those that are missing, the newest first
   */
  List<Mail> shown(List<Mail> mails, boolean isTold) {
    Map<String, Integer> newest = new HashMap<>();
    mails.forEach(mail -> newest.merge(mail.datacenter(), mail.number(), Math::max));
    own.removeIf(mail -> mail.number() <= newest.getOrDefault(mail.datacenter(), 0));
    List<Mail> missing = new ArrayList<>(seen);
    missing.addAll(own);
    missing.removeIf(mail -> mail.number() <= newest.getOrDefault(mail.datacenter(), 0));
    missing.sort(Comparator.comparingLong(Mail::millis).reversed());
    gone.retainAll(missing);
    if (!isTold) {
      missing.stream().filter(gone::add).forEach(this::count);
    }
    seen.addAll(mails);
    seen.removeIf(
        mail -> mail.number() <= newest.getOrDefault(mail.datacenter(), 0) - Mailbox.KEPT);
    return missing;
  }

  private void count(Mail mail) {
    if (own.contains(mail)) {
      ownNotSeen++;
    } else {
      vanished++;
    }
  }

  /** Somebody begins anew, who has seen nothing; the counts stay. */
  void forget() {
    seen.clear();
    own.clear();
    gone.clear();
  }

  Counts counts() {
    return new Counts(vanished, ownNotSeen);
  }
}
