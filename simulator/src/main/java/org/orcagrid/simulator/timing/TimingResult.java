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
package org.orcagrid.simulator.timing;

/**
 * What a timed run has shown.
 *
 * @param perSecond reads and writes that were answered, of all clients, a second of virtual time
 * @param reads how long reads took
 * @param writes how long writes took
 * @param waits what waited for what
 * @param use how busy the machines were
 */
public record TimingResult(double perSecond, Latency reads, Latency writes, Waits waits, Use use) {

  /**
   * How long requests took, from when the client was free for them to their answer.
   *
   * @param count how many there were
   * @param meanNanos the mean; 0 if there were none
   * @param tailNanos what 95 % of them did not exceed; 0 if there were none
   */
  public record Latency(int count, double meanNanos, double tailNanos) {
    /** Of no requests. */
    public static final Latency NONE = new Latency(0, 0, 0);
  }

  /**
   * What waited.
   *
   * @param readsStalled the share of reads that the protocol did not answer at once
   * @param conflicted the share of transactions that were aborted before they committed
   * @param abortsPerTransaction how often they were
   * @param held updates that a server has and does not show yet, on average
   */
  public record Waits(
      double readsStalled, double conflicted, double abortsPerTransaction, double held) {}

  /**
   * Shares of what there is.
   *
   * @param nvm lines that the banks were given, to what they can write; above 1 they pile up
   * @param network bytes that were sent, to what the NICs can send
   */
  public record Use(double nvm, double network) {}

  /** The mean of reads and writes, in nanoseconds; 0 if there were none. */
  public double meanNanos() {
    double count = (double) reads.count() + writes.count();
    return count == 0
        ? 0
        : (reads.meanNanos() * reads.count() + writes.meanNanos() * writes.count()) / count;
  }
}
