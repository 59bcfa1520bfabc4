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
package org.orcagrid.ddp.replica.log;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.replica.state.ReplicaRule;

/**
 * The account of a log that maps share: what each of them still needs of it, up to where it may be
 * trimmed, and who is to make room when it has become too long. A state machine for one thread.
 *
 * <p>Each map needs the log from one record on: its first one, or the begin of its last checkpoint.
 * The log is as long as what the map needs that needs the oldest. When that is too long, those
 * whose need begins in its older half are asked for a checkpoint, though they may be idle.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>nothing is trimmed that a map needs, or that is not durable;
 *   <li>no map needs more of the log than there is.
 * </ol>
 */
public final class SharedLog {
  /** So many checkpoints are under way at once: each of them has a part of the log in memory. */
  private static final int ASKED_MAX = 64;

  /** On a medium that is half full it is longer than what is live by this part of that. */
  private static final int CROWDED_PART = 8;

  private final Limits limits;
  private final Set<ReplicaRule> rules;
  private final Map<Integer, Part> parts = new HashMap<>();

  /** Those that need something, by the position of the first record that they need. */
  private final TreeMap<Long, Part> needy = new TreeMap<>();

  /** The first of them, null if there is none. */
  private Part oldest;

  /** Of all records so far. */
  private long bytes;

  /** Of the latest versions, as far as checkpoints and recoveries have told. */
  private long live;

  private int asked;
  private long trimmed;

  /**
   * How long a log becomes: longer than what is live by the greater one of these.
   *
   * @param bytesMin so many bytes
   * @param multiple so many times what is live
   */
  public record Limits(long bytesMin, int multiple) {
    /** With four times the data on the medium at most, while writes do not outrun checkpoints. */
    public static final Limits DEFAULT = new Limits(16 << 20, 2);

    /** Refuses what cannot work. */
    public Limits {
      if (bytesMin < 1 || multiple < 1) {
        throw new IllegalArgumentException(
            "bytesMin and multiple are at least 1, not " + bytesMin + " and " + multiple);
      }
    }
  }

  /** A log without records. */
  public SharedLog(Limits limits, Set<ReplicaRule> rules) {
    this.limits = limits;
    this.rules = rules;
  }

  /** What a map has in the log. */
  public final class Part {
    private final int map;

    /** The first record that it needs, 0 for none, and the log's bytes before that. */
    private long need;

    private long bytesBefore;

    /** The begin of its last checkpoint, and the log's bytes before that. */
    private long begin;

    private long bytesBeforeBegin;
    private long ownLive;
    private boolean isAsked;

    private Part(int map) {
      this.map = map;
    }

    /** A record of the map was appended, or was found in the log. */
    public void appended(long position, LogRecord record, int length) {
      if (need == 0) {
        need(position, bytes);
      }
      if (record instanceof LogRecord.CheckpointBegin) {
        begin = position;
        bytesBeforeBegin = bytes;
      }
      bytes += length;
    }

    /** What the map has in the log has so many bytes of latest versions. */
    public void isLive(long bytesOfLatest) {
      live += bytesOfLatest - ownLive;
      ownLive = bytesOfLatest;
    }

    /**
     * The map does not need what is before the begin of its last checkpoint.
     *
     * @param position of that begin
     */
    public void trim(long position, long bytesOfLatest) {
      Invariant.check(
          position == begin,
          "a map is trimmed up to its checkpoint",
          "at",
          position,
          "begin",
          begin);
      forget();
      need(position, bytesBeforeBegin);
      isLive(bytesOfLatest);
    }

    private void need(long position, long before) {
      need = position;
      bytesBefore = before;
      needy.put(position, this);
      oldest = needy.firstEntry().getValue();
    }

    private void forget() {
      if (need != 0) {
        needy.remove(need);
        oldest = needy.isEmpty() ? null : needy.firstEntry().getValue();
      }
      asked -= isAsked ? 1 : 0;
      isAsked = false;
    }
  }

  /** What a map has in the log; nothing if it was not known. */
  public Part part(int map) {
    return parts.computeIfAbsent(map, Part::new);
  }

  /** A map is gone, and needs nothing. */
  public void remove(int map) {
    Part gone = parts.remove(map);
    if (gone != null) {
      gone.forget();
      gone.isLive(0);
    }
  }

  /** Forgets maps that are gone. */
  public void removeIf(IntPredicate isGone) {
    for (int map : List.copyOf(parts.keySet())) {
      if (isGone.test(map)) {
        remove(map);
      }
    }
  }

  /** Something was appended that is of no map. */
  public void grow(int length) {
    bytes += length;
  }

  /** The bytes from the first record that a map needs to the last one. */
  public long length() {
    return oldest == null ? 0 : bytes - oldest.bytesBefore;
  }

  /** Bytes of the latest versions, as far as checkpoints and recoveries have told. */
  public long live() {
    return live;
  }

  private long lengthMax(boolean isHalfFull) {
    long usual = Math.max(limits.bytesMin(), live * limits.multiple());
    long crowded = Math.max(limits.bytesMin(), live) / CROWDED_PART;
    return live + (isHalfFull ? Math.min(usual, crowded) : usual);
  }

  /**
   * Asks maps that hold up the log for a checkpoint, if it is too long.
   *
   * @param isHalfFull whether the log's medium is: a checkpoint writes once more what is live, and
   *     there must be room for that
   * @param makesRoom asks one of them; whether that could be asked
   */
  public void ask(boolean isHalfFull, IntPredicate makesRoom) {
    if (length() < lengthMax(isHalfFull)) {
      return;
    }
    long half = bytes - length() / 2;
    for (Part each : needy.values()) {
      if (asked == ASKED_MAX || each.bytesBefore > half) {
        return;
      }
      if (!each.isAsked && makesRoom.test(each.map)) {
        each.isAsked = true;
        asked++;
      }
    }
  }

  /**
   * Up to where the log may be trimmed, given that it is durable up to a position.
   *
   * @return the position before which no record is needed; 0 if there is nothing new to trim
   */
  public long trimTo(long durable) {
    long needed = durable;
    if (oldest != null) {
      needed = rules.contains(ReplicaRule.TRIM_SPARES_OTHERS) ? oldest.need : needy.lastKey();
    }
    long to = Math.min(needed, durable);
    if (to <= trimmed) {
      return 0;
    }
    trimmed = to;
    return to;
  }

  /** Fails if an invariant is broken. */
  public void checkInvariants() {
    for (Part each : needy.values()) {
      Invariant.check(
          each.need >= trimmed,
          "nothing is trimmed that a map needs",
          "needs",
          each.need,
          "trimmed",
          trimmed);
      Invariant.check(
          each.bytesBefore <= bytes,
          "no map needs more of the log than there is",
          "before",
          each.bytesBefore,
          "bytes",
          bytes);
    }
  }
}
