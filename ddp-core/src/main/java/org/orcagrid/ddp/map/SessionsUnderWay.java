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
package org.orcagrid.ddp.map;

import java.util.function.Consumer;

/**
 * Sessions with an operation under way: others are nobody's business but their owners'. A list that
 * goes through the sessions themselves. Of a worker.
 */
final class SessionsUnderWay {
  private HostedSession first;

  /** A session's place in the list. */
  static final class Place {
    private HostedSession previous;
    private HostedSession next;
    private boolean taken;

    boolean isTaken() {
      return taken;
    }
  }

  void add(HostedSession session) {
    Place place = session.place();
    if (place.taken) {
      return;
    }
    place.taken = true;
    place.next = first;
    if (first != null) {
      first.place().previous = session;
    }
    first = session;
  }

  void remove(HostedSession session) {
    Place place = session.place();
    if (!place.taken) {
      return;
    }
    place.taken = false;
    if (place.next != null) {
      place.next.place().previous = place.previous;
    }
    if (place.previous == null) {
      first = place.next;
    } else {
      place.previous.place().next = place.next;
    }
    place.previous = null;
    place.next = null;
  }

  /** Takes all of them out, one after the other. */
  void removeEach(Consumer<HostedSession> removed) {
    while (first != null) {
      HostedSession next = first;
      remove(next);
      removed.accept(next);
    }
  }
}
