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
package org.orcagrid.ddp.membership;

/**
 * The times of leases and beats, in nanoseconds of a node's own clock. All nodes of a grid have the
 * same.
 *
 * @param leaseNanos how long a grant lasts
 * @param beatNanos a member sends each other one a beat so often
 */
public record LeaseTimes(long leaseNanos, long beatNanos) {
  /** Leases are safe while no two clocks differ in speed by more than one part in this many. */
  public static final int DRIFT_PART = 10;

  private static final int BEATS_PER_LEASE_MIN = 8;

  /** Sixteen beats in a lease: a few may be late or lost. */
  private static final int BEATS_PER_LEASE = 16;

  /** Connections are made, by code that runs for the first time. */
  private static final int LEASES_FOR_FIRST_LINKS = 4;

  /** A slow disk or a scan of a large map holds up a worker, and not for longer than this. */
  private static final int LEASES_OF_STANDING = 4;

  /** A lease of 800 ms. */
  public static final LeaseTimes DEFAULT = ofLease(800_000_000);

  /** A lease of so many nanoseconds, with the usual beats. */
  public static LeaseTimes ofLease(long nanos) {
    return new LeaseTimes(nanos, nanos / BEATS_PER_LEASE);
  }

  /** Refuses a lease that a few lost beats would end. */
  public LeaseTimes {
    if (beatNanos < 1 || leaseNanos / beatNanos < BEATS_PER_LEASE_MIN) {
      throw new IllegalArgumentException(
          "A lease lasts at least "
              + BEATS_PER_LEASE_MIN
              + " beats; leaseNanos="
              + leaseNanos
              + ", beatNanos="
              + beatNanos);
    }
  }

  /** After so long without a beat a peer counts as silent. */
  long silentNanos() {
    return leaseNanos / 2;
  }

  /** So long those who begin to serve together wait for each other's first beat. */
  long firstNanos() {
    return LEASES_FOR_FIRST_LINKS * leaseNanos;
  }

  /** A node one of whose workers has stood still for longer says that it hears nobody. */
  long standingNanos() {
    return LEASES_OF_STANDING * leaseNanos;
  }

  /** A member that a peer asks about by the registry answers within this. */
  long answerNanos() {
    return leaseNanos / 4;
  }

  /** A grant is over by every clock after so long. */
  long overNanos() {
    return leaseNanos + leaseNanos / DRIFT_PART;
  }
}
