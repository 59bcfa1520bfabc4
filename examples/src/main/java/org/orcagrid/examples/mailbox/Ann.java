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
import java.util.List;
import org.orcagrid.geo.session.ReadGuarantee;

/**
 * A user who moves between datacenters, and sees each read twice: as any client would, and as her
 * session does. Safe for use by many threads, which wait for each other.
 */
final class Ann {
  static final String NAME = "Ann";

  /** How long a read may wait for what her session has seen. */
  static final Duration WITHIN = Duration.ofMillis(800);

  private final Column eventual;
  private final Column session;
  private volatile String at = "";

  /**
   * A user who has seen nothing.
   *
   * @param guarantee of her session's reads
   */
  Ann(TwoDatacenters datacenters, ReadGuarantee guarantee) {
    this.eventual = new Column("eventual", datacenters, NAME, ReadGuarantee.EVENTUAL);
    this.session = new Column("session", datacenters, NAME, guarantee);
  }

  /** She reads in a datacenter. */
  synchronized void read(String where, boolean orOlder) {
    at = where;
    eventual.read(where, WITHIN, false);
    session.read(where, WITHIN, orOlder);
  }

  /** She writes a note to herself. */
  synchronized void write(String where, String text) {
    at = where;
    eventual.wrote(session.write(where, text));
  }

  /** She throws her cookie away. */
  synchronized void forget() {
    session.forget();
  }

  /** Where she was last; empty at first. */
  String at() {
    return at;
  }

  Column eventual() {
    return eventual;
  }

  Column session() {
    return session;
  }

  /** Both, as they are shown. */
  List<Column> columns() {
    return List.of(eventual, session);
  }
}
