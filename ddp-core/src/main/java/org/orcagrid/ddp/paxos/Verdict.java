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
package org.orcagrid.ddp.paxos;

/** An acceptor's answer. */
public enum Verdict {
  /** Promised or accepted. */
  ACK(1),
  /** Promised; another command was accepted earlier in this log and has to be finished first. */
  ACK_ACCEPTED(2),
  /** A higher ballot was promised. */
  BALLOT_TOO_LOW(3),
  /** The log was decided already. */
  LOG_TOO_LOW(4),
  /** The log before it was not committed here yet. */
  LOG_TOO_HIGH(5),
  /** The command was committed already, in this log or an earlier one. */
  ALREADY_COMMITTED(6),
  /** The acceptor has no memory left for the value. */
  FULL(7);

  private static final Verdict[] BY_CODE = byCode();

  private final int code;

  Verdict(int code) {
    this.code = code;
  }

  /** The number that stands for it in messages. */
  public int code() {
    return code;
  }

  /** The verdict with that number, or null. */
  public static Verdict of(int code) {
    return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }

  private static Verdict[] byCode() {
    Verdict[] all = new Verdict[values().length + 1];
    for (Verdict each : values()) {
      if (all[each.code] != null) {
        throw new IllegalStateException("Two verdicts have the number " + each.code);
      }
      all[each.code] = each;
    }
    return all;
  }
}
