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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a user sees after a read.
 *
 * @param at the datacenter that was asked; empty before the first read
 * @param isShown whether it has shown anything: if not, these are the mails of the read before
 * @param mails the newest first
 * @param missing of those that the user has seen or written
 * @param late what was not there in time; null if all was
 * @param message of the exception; empty if there was none
 * @param millis how long it took
 */
record Reading(
    String at,
    boolean isShown,
    List<Mail> mails,
    List<Mail> missing,
    Late late,
    String message,
    long millis) {
  static final Reading NONE = new Reading("", true, List.of(), List.of(), null, "", 0);

  /** Whether it has shown what it was asked for. */
  boolean isInTime() {
    return isShown && late == null;
  }

  Map<String, Object> state() {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("at", at);
    state.put("shown", isShown);
    state.put("mails", mails);
    state.put("missing", missing);
    state.put("late", late == null ? null : late.state());
    state.put("message", message);
    state.put("millis", millis);
    return state;
  }
}
