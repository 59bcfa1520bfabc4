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
package org.orcagrid.transport.tcp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Whom a port has refused, and how much of it is told: strangers decide how often they are refused,
 * and must not fill a log. Of each reason the first one is told, and after each second how many
 * more there were. Two reasons are the same if only numbers and quoted names differ.
 *
 * <p>Has no clock: who uses it says when a second is over. Safe for use by many threads.
 */
final class Refusals {
  /** Reasons that are told apart in a second; what exceeds that is told as one. */
  static final int REASONS_MAX = 16;

  private static final Pattern VARIABLE = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|[0-9]+");
  private static final String OTHERS = "";

  private final Map<String, Recent> recent = new LinkedHashMap<>();
  private long total;

  /** A reason, who was the last one, and how many were not told of. */
  private static final class Recent {
    private Line last;
    private long held;

    Line end(String what) {
      String more = held == 1 ? "" : " (and " + (held - 1) + " more" + what + ")";
      held = 0;
      return new Line(last.address(), last.reason() + more);
    }
  }

  /** What a listener is told. */
  record Line(String address, String reason) {}

  /**
   * Counts one.
   *
   * @param told what is to be told now, null for nothing
   * @param beginsSecond whether a second begins, after which {@link #endSecond} is to be called
   */
  record Added(Line told, boolean beginsSecond) {}

  /** Somebody who may be anybody was refused. */
  Added add(String address, String reason) {
    return add("", new Line(address, PrintableText.of(reason)));
  }

  /** An address of this node's settings has refused it, or was refused: each is told of. */
  Added addPeer(String address, String reason) {
    return add(address + " ", new Line(address, PrintableText.of(reason)));
  }

  private synchronized Added add(String about, Line line) {
    total++;
    boolean isFirst = recent.isEmpty();
    String key = about + VARIABLE.matcher(line.reason()).replaceAll("#");
    Recent same = recent.get(key);
    if (same == null && recent.size() < REASONS_MAX) {
      recent.put(key, new Recent());
      return new Added(line, isFirst);
    }
    if (same == null) {
      same = recent.computeIfAbsent(OTHERS, other -> new Recent());
    }
    same.last = line;
    same.held++;
    return new Added(null, false);
  }

  /** What is told at the end of a second, and whether another one begins. */
  record Second(List<Line> told, boolean goesOn) {}

  /** A second is over. A reason that was not given in it is forgotten. */
  synchronized Second endSecond() {
    recent.values().removeIf(each -> each.held == 0);
    List<Line> told = new ArrayList<>();
    recent.forEach(
        (key, each) -> told.add(each.end(key.equals(OTHERS) ? " for other reasons" : "")));
    return new Second(told, !told.isEmpty());
  }

  /** Nobody says any more when a second is over: what is left to be told. */
  synchronized List<Line> end() {
    List<Line> told = endSecond().told();
    recent.clear();
    return told;
  }

  /** How many there were, told or not. */
  synchronized long total() {
    return total;
  }
}
