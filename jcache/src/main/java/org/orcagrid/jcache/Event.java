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
package org.orcagrid.jcache;

import java.util.List;
import javax.cache.event.EventType;

/** What has happened to an entry, before it is a listener's event. */
record Event(EventType type, Stored before, Stored after) {
  static Event of(EventType type, Stored before, Stored after) {
    return new Event(type, before, after);
  }

  static Event gone(Stored expired) {
    return new Event(EventType.EXPIRED, expired, null);
  }

  /**
   * What listeners hear of a change from one content of the map to another, whoever has made it.
   */
  static List<Event> between(Stored before, Stored after, long nowMillis) {
    boolean wasLive = before != null && !before.isExpired(nowMillis);
    if (after == null) {
      if (before == null) {
        return List.of();
      }
      return List.of(wasLive ? of(EventType.REMOVED, before, null) : gone(before));
    } else if (after.isTouched()) {
      return List.of();
    } else if (wasLive) {
      return List.of(of(EventType.UPDATED, before, after));
    }
    Event created = of(EventType.CREATED, null, after);
    return before == null ? List.of(created) : List.of(gone(before), created);
  }
}
