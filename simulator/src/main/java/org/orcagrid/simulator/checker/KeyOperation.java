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
package org.orcagrid.simulator.checker;

/**
 * One operation on one key, as its caller saw it: what was asked, when, and what was answered. It
 * says nothing of versions, nodes or messages.
 *
 * @param session whose it is, for the explanation
 * @param kind what it is
 * @param beginNanos when it began
 * @param endNanos when it ended; {@link Access#NEVER} if nobody knows whether it took effect
 * @param argument what it writes, or adds; {@link Access#ABSENT} for no value
 * @param expected what a compare-and-set expects
 * @param result what was there before it; of a {@link Kind#COMPARE_AND_SET} 1 if it has written and
 *     0 if not; of no meaning for a write and for what never ended
 */
public record KeyOperation(
    int session,
    Kind kind,
    long beginNanos,
    long endNanos,
    long argument,
    long expected,
    long result) {

  /** What is done to a key. */
  public enum Kind {
    /** Returns the value. */
    READ,
    /** Replaces the value. */
    WRITE,
    /** Adds to the value, no value counting as 0, and returns what was there. */
    GET_AND_ADD,
    /** Replaces the value and returns what was there. */
    GET_AND_SET,
    /** Replaces the value if it is the expected one, and returns whether it was. */
    COMPARE_AND_SET,
    /** The same, and returns what was there. */
    COMPARE_AND_EXCHANGE
  }

  /** Whether its end is known. */
  public boolean ended() {
    return endNanos != Access.NEVER;
  }

  /** The value after it, if it takes effect on {@code value}. */
  long after(long value) {
    return switch (kind) {
      case READ -> value;
      case WRITE, GET_AND_SET -> argument;
      case GET_AND_ADD -> (value == Access.ABSENT ? 0 : value) + argument;
      case COMPARE_AND_SET, COMPARE_AND_EXCHANGE -> value == expected ? argument : value;
    };
  }

  /** Whether it would have answered as it did, had it taken effect on {@code value}. */
  boolean explainedBy(long value) {
    if (!ended()) {
      return true;
    }
    return switch (kind) {
      case WRITE -> true;
      case COMPARE_AND_SET -> (result == 1) == (value == expected);
      case READ, GET_AND_ADD, GET_AND_SET, COMPARE_AND_EXCHANGE -> value == result;
    };
  }

  /** Whether its answer shows that it has left the value alone. */
  boolean changesNothing() {
    return switch (kind) {
      case READ -> true;
      case WRITE, GET_AND_ADD, GET_AND_SET -> false;
      case COMPARE_AND_SET -> ended() && result == 0;
      case COMPARE_AND_EXCHANGE -> ended() && result != expected;
    };
  }

  /** The same while it was still under way: nobody knows its answer yet. */
  KeyOperation withoutEnd() {
    return new KeyOperation(session, kind, beginNanos, Access.NEVER, argument, expected, 0);
  }

  @Override
  public String toString() {
    String asked =
        switch (kind) {
          case READ -> "read";
          case WRITE -> "write of " + name(argument);
          case GET_AND_ADD -> "get-and-add of " + argument;
          case GET_AND_SET -> "get-and-set to " + name(argument);
          case COMPARE_AND_SET, COMPARE_AND_EXCHANGE ->
              "compare-and-set from " + name(expected) + " to " + name(argument);
        };
    String when = beginNanos + ".." + (ended() ? endNanos : "?") + " ns";
    return asked + " by session " + session + ", " + when + answer();
  }

  private String answer() {
    if (!ended() || kind == Kind.WRITE) {
      return "";
    }
    return kind == Kind.COMPARE_AND_SET
        ? ", which " + (result == 1 ? "has written" : "has not written")
        : ", which found " + name(result);
  }

  static String name(long value) {
    return value == Access.ABSENT ? "no value" : String.valueOf(value);
  }
}
