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
package org.orcagrid.ddp.transfer;

/**
 * The pages that one other node tells: how many were asked for, and what has come of it. An {@link
 * Intake} has one for each node that it asks.
 *
 * <p>Invariants: no more pages than the window are asked for and not taken over; and a page that
 * was asked for again does not count when it comes for the earlier question.
 */
public final class Inflow {
  private static final int FAILURES_MAX = 6;

  private final Intake.Terms terms;
  private final int life;

  /** Of the last question. */
  private long number;

  private long askedNanos;
  private long asked;
  private int size;

  /** Questions in a row that nothing has come of: each waits twice as long as the one before. */
  private int failures;

  private long taken;
  private long cursor;
  private long entries;
  private long bytes;
  private long entriesMax;
  private boolean ended;

  Inflow(Intake.Terms terms, int life) {
    this.terms = terms;
    this.life = life;
    this.size = terms.sizeMax();
  }

  boolean isDue(long nowNanos) {
    return !ended && (asked < taken + terms.window() || isLost(nowNanos));
  }

  private boolean isLost(long nowNanos) {
    return terms.resendNanos() > 0 && nowNanos - askedNanos >= terms.resendNanos() << failures;
  }

  /**
   * Pages are asked for. If they were asked for before, something of them is lost: they are asked
   * for half as large.
   *
   * @param question a number that answers bring back
   */
  public void ask(long question, long nowNanos) {
    if (asked == taken + terms.window()) {
      size = Math.max(1, size / 2);
      failures = Math.min(FAILURES_MAX, failures + 1);
    }
    number = question;
    asked = taken + terms.window();
    askedNanos = nowNanos;
  }

  /** Whether something answers the last question. */
  public boolean isOf(long question) {
    return !ended && asked > taken && question == number;
  }

  /** How many pages are asked for, from the first on. */
  public int asked() {
    return (int) asked;
  }

  /** How large they are to be. */
  public int size() {
    return size;
  }

  /** Where the next page begins. */
  public long cursor() {
    return cursor;
  }

  /** The other node has so many entries. */
  public void expect(long entriesThere) {
    entriesMax = entriesThere;
  }

  /**
   * A page was taken over, as durable as it must be.
   *
   * @param next where the next one begins; 0 where the other node knows that itself
   */
  public void take(int entriesOfPage, long bytesOfPage, long next) {
    taken++;
    entries += entriesOfPage;
    bytes += bytesOfPage;
    cursor = next;
    size = Math.min(terms.sizeMax(), size * 2);
    failures = 0;
  }

  /** That was all that the other node had to tell. */
  public void end() {
    ended = true;
  }

  /** Whether the other node has told all. */
  public boolean isEnded() {
    return ended;
  }

  int life() {
    return life;
  }

  Progress progress() {
    return new Progress(0, 0, taken, entries, bytes, entriesMax);
  }
}
