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
package org.orcagrid.geo.client;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;

/** What requests wait for and what their guarantees mean, in sentences. */
final class Explanation {
  private final RemoteGeo geo;
  private final List<String> sentences = new ArrayList<>();

  private Explanation(RemoteGeo geo, String what, int datacenter, int partition) {
    this.geo = geo;
    sentences.add(
        what + " of this key goes to partition " + partition + " in " + name(datacenter) + ".");
  }

  private String name(int datacenter) {
    return geo.datacenters().get(datacenter);
  }

  static String ofRead(
      RemoteGeo geo, int datacenter, int partition, ReadGuarantee guarantee, Requirement wanted) {
    Explanation all = new Explanation(geo, "A read", datacenter, partition);
    if (!guarantee.monotonic() && !guarantee.ownWrites()) {
      all.add("Any replica answers at once. Its version may be older than one seen before.");
      return all.text();
    }
    all.waits(wanted);
    if (guarantee.monotonic()) {
      all.add("It shows nothing older than what the session has read of the key.");
    }
    if (guarantee.ownWrites()) {
      all.add(
          "The session's own writes are in the store then. A write with a later time may have won"
              + " over them, even before anybody read them.");
    }
    all.within(guarantee);
    return all.text();
  }

  private void waits(Requirement wanted) {
    if (wanted.isNone()) {
      add("It waits for nothing: the session has seen nothing here that not all replicas have.");
      return;
    }
    PositionVector positions = wanted.positions();
    List<String> each = new ArrayList<>();
    for (int i = 0; i < positions.length(); i++) {
      if (positions.at(i) != Positions.NONE) {
        each.add("of " + name(i) + " up to " + Positions.text(positions.at(i)));
      }
    }
    if (!each.isEmpty()) {
      add("Its replica must have all writes " + String.join(", and ", each) + " (epoch:index).");
    }
    if (wanted.floor() > 0) {
      add(
          "The token had no room for this partition, so the replica must have all writes up to "
              + Instant.ofEpochMilli(HybridClock.millis(wanted.floor()))
              + ".");
    }
  }

  private void within(ReadGuarantee guarantee) {
    Duration within = guarantee.within();
    String limit = within == null ? "the client's time-out" : within.toMillis() + " ms";
    add(
        guarantee.older()
            ? "After " + limit + " it shows what is there, and how old that is."
            : "After " + limit + " it fails with a GuaranteeNotMetException.");
  }

  static String ofWrite(
      RemoteGeo geo, int datacenter, int partition, WriteGuarantee guarantee, long dependency) {
    Explanation all = new Explanation(geo, "A write", datacenter, partition);
    if (!guarantee.afterReads() && !guarantee.afterWrites()) {
      all.add("Its time is that of its leader. It may lose to what the session has seen.");
    } else if (dependency == 0) {
      all.add("The session has seen nothing yet that it must win over.");
    } else {
      all.add(
          "It waits for nothing: its time will be later than "
              + Instant.ofEpochMilli(HybridClock.millis(dependency))
              + ", the latest that the session has "
              + seen(guarantee)
              + ", so it wins over all of that, everywhere.");
    }
    all.add("A write of another session with a later time wins over it.");
    return all.text();
  }

  private static String seen(WriteGuarantee guarantee) {
    if (guarantee.afterReads() && guarantee.afterWrites()) {
      return "read or written";
    }
    return guarantee.afterReads() ? "read" : "written";
  }

  private void add(String sentence) {
    sentences.add(sentence);
  }

  private String text() {
    return String.join(" ", sentences);
  }
}
