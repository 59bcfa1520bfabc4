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
package org.orcagrid.client.concurrent;

import java.time.Duration;
import java.util.OptionalLong;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/**
 * A lock between a grid's programs, with fencing tokens. Whoever gets it gets a token that is
 * higher than all before; whatever it guards should refuse lower ones, since no lock can keep a
 * holder from being so slow that another one has taken over.
 *
 * <p>A holder that renews is left alone. One that has neither renewed nor unlocked for the lease,
 * as seen by the clock of whoever asks, is taken for gone, and the lock is given to the asker.
 * Clocks are not compared: it does not matter how they are set, only that they run at about the
 * same speed.
 *
 * <p>What a holder has done before it unlocks is there for the next one: with a lock of a session
 * on that grid's keys, with one of a model in linearizable, read-enforced and transactional maps,
 * whose writes are there for all when they have ended. One object is one holder and is used by one
 * thread at a time; one of a session belongs to that. All methods throw what {@link
 * org.orcagrid.client.map.GridMap} or {@link View} throws.
 *
 * <p>A lock of a model is as durable as that makes it. Tokens go up over a loss of power, too, if
 * nothing that was read is lost: so not with eventual persistency, nor in memory only.
 */
public final class GridLock {
  private final Cells<State> cells;
  private final Part state;
  private final long leaseNanos;

  private State watched;
  private long watchedSinceNanos;
  private State mine;

  /**
   * Who has the lock.
   *
   * @param token counts the holders
   * @param renewals how often this one has renewed
   * @param held false once it has unlocked
   */
  private record State(long token, long renewals, boolean held) {
    static final Codec<State> CODEC =
        Codec.of(
            (state, out) ->
                out.putLong(state.token()).putLong(state.renewals()).putInt(state.held() ? 1 : 0),
            in -> new State(in.getLong(), in.getLong(), in.getInt() != 0));
  }

  /**
   * A session's handle on the lock of that name.
   *
   * @param lease how long a holder may be silent; the same for all
   */
  public GridLock(GridSession session, String name, Duration lease) {
    this(ViewCells.of(session, State.CODEC), "lock " + name, lease);
  }

  /**
   * A handle on the lock of that name, as {@link GridMaps#lock} makes it.
   *
   * @param lease how long a holder may be silent; the same for all
   * @throws IllegalArgumentException if the model has no compare-and-set, saying which have
   */
  public GridLock(GridMaps maps, String name, Duration lease, Ddp model) {
    this(MapCells.of(maps, "lock." + name, State.CODEC, model), "", lease);
  }

  private GridLock(Cells<State> cells, String structure, Duration lease) {
    if (lease.isNegative() || lease.isZero()) {
      throw new IllegalArgumentException("A lease must be positive, not " + lease);
    }
    this.cells = cells;
    this.state = Part.of(structure, Part.HEAD);
    this.leaseNanos = lease.toNanos();
  }

  /**
   * Takes the lock if it is free, or if its holder has been silent for the lease while this object
   * was asked: to be called again and again until then.
   *
   * @return the token; empty if somebody has the lock
   */
  public OptionalLong tryLock() {
    State present = cells.getAcquire(state);
    if (present != null && present.held() && !isSilent(present)) {
      return OptionalLong.empty();
    }
    State taken = new State(present == null ? 1 : present.token() + 1, 0, true);
    if (!cells.compareAndSet(state, present, taken)
        || !cells.isKept(state, now -> now.token() >= taken.token())) {
      return OptionalLong.empty();
    }
    mine = taken;
    return OptionalLong.of(taken.token());
  }

  private boolean isSilent(State present) {
    long now = System.nanoTime();
    if (!present.equals(watched)) {
      watched = present;
      watchedSinceNanos = now;
    }
    return now - watchedSinceNanos >= leaseNanos;
  }

  /** Tells the others that the holder is there; false if somebody else has the lock by now. */
  public boolean renew() {
    if (mine == null) {
      return false;
    }
    State held = stillMine();
    if (held == null) {
      return false;
    }
    State renewed = new State(held.token(), held.renewals() + 1, true);
    if (!cells.compareAndSet(state, held, renewed)) {
      mine = null;
      return false;
    }
    mine = renewed;
    return true;
  }

  /** What the lock is, if this still holds it; it may have renewed without knowing. */
  private State stillMine() {
    State present = cells.getAcquire(state);
    boolean held = present != null && present.held() && present.token() == mine.token();
    mine = held ? present : null;
    return mine;
  }

  /** Gives the lock back; false if somebody else has it by now. */
  public boolean unlock() {
    if (mine == null) {
      return false;
    }
    State held = stillMine();
    mine = null;
    return held != null
        && cells.compareAndSet(state, held, new State(held.token(), held.renewals(), false));
  }
}
