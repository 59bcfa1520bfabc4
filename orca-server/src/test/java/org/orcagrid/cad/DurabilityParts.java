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
package org.orcagrid.cad;

import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The decisions that {@link DurabilityModel} is built from, as interfaces, so that a mutant can
 * stand in for each.
 */
record DurabilityParts(
    ScheduleMaker schedules, Supplier<Rounds> rounds, IntFunction<Index> indexes) {

  /** One server's {@link FlushSchedule}. */
  interface Schedule {
    long persisted();

    void onAppended(long index);

    void onDemand(long index);

    boolean isDue(long nowNanos);

    void onFlushStarted(long nowNanos);

    void onFlushed(long index);
  }

  /** Makes the schedule of a server that starts with its log up to {@code persisted} on disk. */
  @FunctionalInterface
  interface ScheduleMaker {
    Schedule make(long intervalNanos, long persisted, long nowNanos);
  }

  /** The leader's {@link FlushRounds}. */
  interface Rounds {
    long target();

    long onDemand(long index, long durable, long last);

    long onDurable(long durable, long last);
  }

  /** The leader's {@link QuorumIndex}. */
  interface Index {
    long value();

    boolean onReport(long serverId, long index);
  }

  /** The shipping classes. */
  static DurabilityParts shipping() {
    return new DurabilityParts(
        ShippingSchedule::new,
        ShippingRounds::new,
        servers -> new ShippingIndex((ids, count) -> count > servers / 2));
  }

  DurabilityParts withSchedules(ScheduleMaker other) {
    return new DurabilityParts(other, rounds, indexes);
  }

  DurabilityParts withRounds(Supplier<Rounds> other) {
    return new DurabilityParts(schedules, other, indexes);
  }

  DurabilityParts withIndexes(IntFunction<Index> other) {
    return new DurabilityParts(schedules, rounds, other);
  }

  static class ShippingSchedule implements Schedule {
    private final FlushSchedule schedule;

    ShippingSchedule(long intervalNanos, long persisted, long nowNanos) {
      schedule = new FlushSchedule(intervalNanos, persisted, nowNanos);
    }

    @Override
    public long persisted() {
      return schedule.persisted();
    }

    long appended() {
      return schedule.appended();
    }

    @Override
    public void onAppended(long index) {
      schedule.onAppended(index);
    }

    @Override
    public void onDemand(long index) {
      schedule.onDemand(index);
    }

    @Override
    public boolean isDue(long nowNanos) {
      return schedule.isDue(nowNanos);
    }

    @Override
    public void onFlushStarted(long nowNanos) {
      schedule.onFlushStarted(nowNanos);
    }

    @Override
    public void onFlushed(long index) {
      schedule.onFlushed(index, 0);
    }
  }

  static class ShippingRounds implements Rounds {
    private final FlushRounds rounds = new FlushRounds();
    private int calls;
    private long nanos;

    /** Some rounds in a row are short, and then some are not. */
    private long now() {
      nanos += calls++ / 16 % 2 == 0 ? 1 : FlushRounds.SHORT_NANOS;
      return nanos;
    }

    @Override
    public long target() {
      return rounds.target();
    }

    @Override
    public long onDemand(long index, long durable, long last) {
      return rounds.onDemand(index, durable, last, now());
    }

    @Override
    public long onDurable(long durable, long last) {
      return rounds.onDurable(durable, last, now());
    }
  }

  static class ShippingIndex implements Index {
    private final QuorumIndex index = new QuorumIndex(0);
    private final QuorumRule rule;

    ShippingIndex(QuorumRule rule) {
      this.rule = rule;
    }

    @Override
    public long value() {
      return index.value();
    }

    @Override
    public boolean onReport(long serverId, long reported) {
      return index.onReport(serverId, reported, rule);
    }
  }
}
