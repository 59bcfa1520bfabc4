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
import java.util.Map;
import org.orcagrid.geo.client.GuaranteeNotMetException;
import org.orcagrid.geo.client.Seen;

/**
 * What a session's read lacked when its time was over.
 *
 * @param behind the datacenter of which writes are missing
 * @param entries about how many of its log
 * @param age all older writes are there
 */
record Late(String behind, long entries, Duration age) {
  static Late of(GuaranteeNotMetException e) {
    return new Late(e.datacenter(), e.entries(), e.age());
  }

  static Late of(Seen<?> older) {
    return new Late(older.behind(), older.behindEntries(), older.age());
  }

  /** The one that is older; one may be null. */
  static Late worse(Late one, Late other) {
    return one == null || other.age().compareTo(one.age()) > 0 ? other : one;
  }

  Map<String, Object> state() {
    return Map.of("behind", behind, "entries", entries, "ageMillis", age.toMillis());
  }
}
