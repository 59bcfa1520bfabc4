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
package org.orcagrid.bench.load;

import org.orcagrid.bench.workload.Workload;

/**
 * One measurement: what is sent, by how many clients, for how long.
 *
 * @param workload the mix and the access pattern
 * @param clients how many client threads, each with a session of its own
 * @param pacing when a client sends
 * @param reads which servers the sessions connect to
 * @param time how long to warm up and to measure
 * @param data the preloaded records
 * @param seed determines the order of operation kinds
 */
public record LoadPlan(
    Workload workload,
    int clients,
    Pacing pacing,
    ReadsFrom reads,
    Time time,
    Data data,
    long seed) {

  /** Checks the bounds. */
  public LoadPlan {
    requireClients(clients);
  }

  /**
   * Checks a number of clients.
   *
   * @throws IllegalArgumentException if it is not from 1 to 1000
   */
  public static void requireClients(int clients) {
    if (clients < 1 || clients > 1_000) {
      throw new IllegalArgumentException(
          "The number of clients must be 1 to 1000, not " + clients + "; change --clients.");
    }
  }

  /**
   * When a client sends.
   *
   * @param mode the rule
   * @param window operations of one client that may be without an answer; used by the pipelined and
   *     rate modes
   * @param ratePerSecond operations per second of all clients together; used by the rate mode
   */
  public record Pacing(LoadMode mode, int window, double ratePerSecond) {

    /** Checks the bounds. */
    public Pacing {
      if (window < 1 || window > 100_000) {
        throw new IllegalArgumentException(
            "The window must be 1 to 100000, not " + window + "; change --window.");
      }
      if (mode == LoadMode.RATE && !(ratePerSecond > 0)) {
        throw new IllegalArgumentException("The rate mode needs a rate above 0; give --rate.");
      }
    }

    /** Returns the pacing of closed-loop clients. */
    public static Pacing closedLoop() {
      return new Pacing(LoadMode.CLOSED, 1, 0);
    }
  }

  /**
   * How long to run.
   *
   * @param warmUpSeconds load that is not measured
   * @param measuredSeconds load that is
   */
  public record Time(double warmUpSeconds, double measuredSeconds) {

    /** Checks the bounds. */
    public Time {
      if (!(warmUpSeconds >= 0 && measuredSeconds > 0 && measuredSeconds <= 3_600)) {
        throw new IllegalArgumentException(
            "Measured seconds must be above 0 and at most 3600 and warm-up not negative; change"
                + " --seconds.");
      }
    }
  }

  /**
   * The preloaded records.
   *
   * @param records how many
   * @param valueBytes the length of each value
   */
  public record Data(int records, int valueBytes) {

    /** Checks the bounds. */
    public Data {
      if (records < 2 || records > 1_000_000 || valueBytes < 0 || valueBytes > 1_000_000) {
        throw new IllegalArgumentException(
            "Records must be 2 to 1000000 and their bytes 0 to 1000000; change --records or"
                + " --value-bytes.");
      }
    }
  }
}
