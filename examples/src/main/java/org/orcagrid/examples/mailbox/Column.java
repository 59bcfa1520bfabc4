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

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GuaranteeNotMetException;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;

/**
 * A user's mailbox as it is read with a guarantee. Each request is one of a web server that keeps
 * nothing: it goes on with the session whose token the user's cookie is, and answers with the next
 * token. Any thread may look, one at a time acts.
 */
final class Column {
  private final String id;
  private final TwoDatacenters datacenters;
  private final String user;
  private final ReadGuarantee guarantee;
  private final Sightings sightings = new Sightings();

  /** Null before the first answer. */
  private String cookie;

  private String cookieFrom = "";
  private int carried;
  private int inTime;
  private int older;
  private int notInTime;
  private Reading last = Reading.NONE;

  /** A user's mailbox, read so. */
  Column(String id, TwoDatacenters datacenters, String user, ReadGuarantee guarantee) {
    this.id = id;
    this.datacenters = datacenters;
    this.user = user;
    this.guarantee = guarantee;
  }

  /** The user's session, in a datacenter. */
  private GeoSession session(String at) {
    return cookie == null
        ? datacenters.client(at).openSession()
        : datacenters.client(at).resume(cookie);
  }

  /** An answer with its cookie; one that shows nothing has none. */
  private synchronized void answered(String at, GeoSession session) {
    carried += cookie == null || cookieFrom.equals(at) ? 0 : 1;
    cookie = session.token();
    cookieFrom = at;
  }

  /**
   * The user reads in a datacenter.
   *
   * @param orOlder whether an older mailbox will do when the time is over
   * @throws GeoException if nobody answers
   */
  Reading read(String at, Duration within, boolean orOlder) {
    ReadGuarantee asked = orOlder ? guarantee.within(within).orOlder() : guarantee.within(within);
    long begun = System.nanoTime();
    try (GeoSession session = session(at)) {
      Mailbox.Shown shown = datacenters.mailbox(session, user, at).read(asked);
      answered(at, session);
      return shown(at, shown, millisSince(begun));
    } catch (GuaranteeNotMetException e) {
      return notInTime(at, e, millisSince(begun));
    }
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  private synchronized Reading shown(String at, Mailbox.Shown shown, long millis) {
    boolean isLate = shown.late() != null;
    older += isLate ? 1 : 0;
    inTime += isLate ? 0 : 1;
    List<Mail> missing = sightings.shown(shown.mails(), isLate);
    last = new Reading(at, true, shown.mails(), missing, shown.late(), "", millis);
    return last;
  }

  private synchronized Reading notInTime(String at, GuaranteeNotMetException e, long millis) {
    notInTime++;
    last =
        new Reading(
            at, false, last.mails(), last.missing(), Late.of(e), "" + e.getMessage(), millis);
    return last;
  }

  /** The user writes a mail to the own mailbox, in a datacenter. */
  Mail write(String at, String text) {
    try (GeoSession session = session(at)) {
      Mail mail =
          datacenters
              .mailbox(session, user, at)
              .deliver(user, text, WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS);
      answered(at, session);
      wrote(mail);
      return mail;
    }
  }

  /** The user has written a mail. */
  synchronized void wrote(Mail mail) {
    sightings.wrote(mail);
  }

  /** The user throws the cookie away: what was promised was promised to its session. */
  synchronized void forget() {
    cookie = null;
    cookieFrom = "";
    carried = 0;
    sightings.forget();
    last = Reading.NONE;
  }

  synchronized Reading last() {
    return last;
  }

  synchronized Sightings.Counts counts() {
    return sightings.counts();
  }

  /** Which column it is. */
  String id() {
    return id;
  }

  /** How many reads have shown what they were asked for. */
  synchronized int inTime() {
    return inTime;
  }

  /** How many have shown something older, and said so. */
  synchronized int older() {
    return older;
  }

  /** How many have said that it is not there yet. */
  synchronized int notInTime() {
    return notInTime;
  }

  synchronized Map<String, Object> state() {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("id", id);
    state.put("vanished", sightings.counts().vanished());
    state.put("ownNotSeen", sightings.counts().ownNotSeen());
    state.put("inTime", inTime);
    state.put("older", older);
    state.put("notInTime", notInTime);
    state.put("last", last.state());
    state.put("cookie", cookie == null ? "" : cookie);
    state.put("cookieFrom", cookieFrom);
    state.put("carried", carried);
    return state;
  }
}
