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

import org.orcagrid.ddp.replica.state.ReplicaSettings;

/**
 * What a timed run assumes: the machines and the load, each number with its source. What the paper
 * does not say is ours; the page of {@code orca reproduce ddp-fig6} gives the reasons.
 *
 * @param machine the servers and what joins them
 * @param load what the clients do
 * @param span how long it runs
 */
public record TimingSettings(Machine machine, Load load, Span span) {

  /** The paper's default: Table 5, workload A, 100 clients. */
  public static final TimingSettings PAPER =
      new TimingSettings(Machine.TABLE_5, Load.WORKLOAD_A, Span.FULL);

  /**
   * Servers and network.
   *
   * @param servers each has a copy of everything (Table 5: 5)
   * @param roundTripNanos from NIC to NIC and back, without what the bytes of a packet take (Table
   *     5: 1000)
   * @param bytesPerNano what a NIC sends, and what it receives (Table 5: 200 Gb/s, which is 25)
   * @param deliverNanos from the NIC into the last-level cache, by DDIO (Table 5: 38 cycles of 2
   *     GHz, which is 19)
   * @param nvm the durable medium of each server
   * @param processor what a client's core does
   */
  public record Machine(
      int servers,
      long roundTripNanos,
      int bytesPerNano,
      long deliverNanos,
      NvmTiming nvm,
      Processor processor) {

    /** As in the paper's Table 5, and {@link Processor#OURS}. */
    public static final Machine TABLE_5 =
        new Machine(5, 1000, 25, 19, NvmTiming.TABLE_5, Processor.OURS);

    /** Refuses what cannot be. */
    public Machine {
      require(servers >= 1, "servers", servers);
      require(roundTripNanos >= 0, "roundTripNanos", roundTripNanos);
      require(bytesPerNano >= 1, "bytesPerNano", bytesPerNano);
      require(deliverNanos >= 0, "deliverNanos", deliverNanos);
    }

    /** The same with another network. */
    public Machine withRoundTrip(long nanos) {
      return new Machine(servers, nanos, bytesPerNano, deliverNanos, nvm, processor);
    }

    /** The same with another NVM. */
    public Machine with(NvmTiming other) {
      return new Machine(servers, roundTripNanos, bytesPerNano, deliverNanos, other, processor);
    }

    /** The same with other cores. */
    public Machine with(Processor other) {
      return new Machine(servers, roundTripNanos, bytesPerNano, deliverNanos, nvm, other);
    }
  }

  /**
   * What a read or a write takes of its client's core, before the protocol sees it. The paper takes
   * it from instruction traces and does not say how long it is. What begins or ends something takes
   * nothing, as the paper's traces have no such requests.
   *
   * @param requestNanos on average
   * @param spreadPercent how far a request may be from that
   */
  public record Processor(long requestNanos, int spreadPercent) {

    /** Ours. */
    public static final Processor OURS = new Processor(1500, 50);

    /** Refuses what cannot be. */
    public Processor {
      require(requestNanos >= 0, "requestNanos", requestNanos);
      require(spreadPercent >= 0 && spreadPercent <= 100, "spreadPercent", spreadPercent);
    }
  }

  /**
   * What the clients do. Each has one request after the other under way, at its own server.
   *
   * @param clients of all servers together (Table 5: 20 a server)
   * @param writePercent the share of writes (YCSB: A 50, B 5; the paper's W 95)
   * @param valueBytes what a write writes
   * @param records which keys there are
   * @param grouping transactions and scopes
   */
  public record Load(
      int clients, int writePercent, int valueBytes, Records records, Grouping grouping) {

    /** YCSB's workload A as in section 7. */
    public static final Load WORKLOAD_A = new Load(100, 50, 200, Records.YCSB, Grouping.PAPER);

    /** Refuses what cannot be. */
    public Load {
      require(clients >= 1, "clients", clients);
      require(writePercent >= 0 && writePercent <= 100, "writePercent", writePercent);
      require(valueBytes >= 0, "valueBytes", valueBytes);
    }

    /** The same with so many clients. */
    public Load withClients(int count) {
      return new Load(count, writePercent, valueBytes, records, grouping);
    }

    /** The same with another share of writes. */
    public Load withWrites(int percent) {
      return new Load(clients, percent, valueBytes, records, grouping);
    }

    /** The same with other values. */
    public Load withValues(int bytes) {
      return new Load(clients, writePercent, bytes, records, grouping);
    }

    /** The same with other records. */
    public Load with(Records other) {
      return new Load(clients, writePercent, valueBytes, other, grouping);
    }
  }

  /**
   * Which records requests are about.
   *
   * @param count how many there are (YCSB's own default: 1000)
   * @param choice how they are chosen
   */
  public record Records(int count, KeyChoice choice) {

    /** What YCSB does unless told otherwise. */
    public static final Records YCSB = new Records(1000, KeyChoice.ZIPFIAN);

    /** What transactions are about, so that some thirty per cent of them conflict. */
    public static final Records TRANSACTIONAL = new Records(1500, KeyChoice.UNIFORM);

    /** Refuses what cannot be. */
    public Records {
      require(count >= 1, "records", count);
    }
  }

  /**
   * Requests that belong together.
   *
   * @param transactionRequests those of a transaction (section 7: 5)
   * @param scopeRequests those of a scope (section 7: 10)
   * @param conflicts what a transaction does that meets another one
   */
  public record Grouping(
      int transactionRequests, int scopeRequests, ReplicaSettings.Conflicts conflicts) {

    /** As in section 7; whoever meets another one begins again (section 8.1.1). */
    public static final Grouping PAPER = new Grouping(5, 10, ReplicaSettings.Conflicts.ABORT);

    /** Refuses what cannot be. */
    public Grouping {
      require(transactionRequests >= 1, "transactionRequests", transactionRequests);
      require(scopeRequests >= 1, "scopeRequests", scopeRequests);
    }
  }

  /**
   * How long a run is, in virtual time.
   *
   * @param warmUpNanos what happens before does not count
   * @param measuredNanos what counts
   */
  public record Span(long warmUpNanos, long measuredNanos) {

    /** Some ten thousand requests of most models, after a few thousand. */
    public static final Span FULL = new Span(100_000, 500_000);

    /** Enough to see the shape. */
    public static final Span QUICK = new Span(30_000, 60_000);

    /** Refuses what cannot be. */
    public Span {
      require(warmUpNanos >= 0, "warmUpNanos", warmUpNanos);
      require(measuredNanos >= 1, "measuredNanos", measuredNanos);
    }
  }

  /** The same with other machines. */
  public TimingSettings with(Machine other) {
    return new TimingSettings(other, load, span);
  }

  /** The same with another load. */
  public TimingSettings with(Load other) {
    return new TimingSettings(machine, other, span);
  }

  /** The same for another time. */
  public TimingSettings with(Span other) {
    return new TimingSettings(machine, load, other);
  }

  private static void require(boolean possible, String name, long value) {
    if (!possible) {
      throw new IllegalArgumentException(name + " cannot be " + value);
    }
  }
}
