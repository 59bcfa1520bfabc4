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
package org.orcagrid.ddp.map;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.Recovery;
import org.orcagrid.ddp.replica.log.SharedLog;
import org.orcagrid.ddp.replica.log.SharedLogReader;
import org.orcagrid.ddp.replica.state.ReplicaRule;

/**
 * Where the maps of a worker are durable, in one life of the node: one medium, which is forced for
 * all of them at once. A record has the number of its map before it.
 *
 * <p>The control thread opens and reads it, and has what maps that are opened later find in it. All
 * else belongs to the worker's thread.
 */
final class WorkerJournal {
  private static final System.Logger LOG = System.getLogger(WorkerJournal.class.getName());

  /** What nobody waits for is forced so much later at most. */
  private static final long LAZY_NANOS = 20_000_000;

  /** It says so often when it was here; recovery reports name this time. */
  private static final long MARK_NANOS = 100_000_000;

  private static final long REFUSED_NANOS = 100_000;

  /** A medium that nothing can be appended to, and that forces nothing, for so long is full. */
  private static final long FULL_NANOS = 5_000_000_000L;

  /** Four times what is live is there while writes do not outrun checkpoints. */
  private static final int LIVE_PART = 4;

  private final MapsEngine engine;
  private final DurableMedium medium;
  private final WallClock wall;
  private final SharedLog log;

  /** The control thread's. */
  private final SharedLogReader reader;

  private final LogRecord.Mark lastMark;

  /** The position of what was found in zones, and how much that was. */
  private long foundAt;

  private long foundCount;

  // The worker's.

  private final IntPredicate makesRoom;

  /** Maps that wait until their records are durable. */
  private final Deque<HostedMap> waiting = new ArrayDeque<>();

  private long durable;

  /** Whether it was said that there is hardly room for what is live. */
  private boolean crowded;

  private boolean forceNow;
  private long forceAtNanos;

  /** Of the journal so far, and whether one was made in this life. */
  private long marks;

  private boolean marked;
  private long markedNanos;

  /**
   * Reads a medium, and takes over what has landed in the worker's zones, which are not open yet.
   *
   * @param isGone whether a map is known to be gone: what there is of it is of no use
   * @throws IOException if it cannot be read
   */
  WorkerJournal(MapsEngine engine, DurableMedium medium, WallClock wall, IntPredicate isGone)
      throws IOException {
    this.engine = engine;
    this.medium = medium;
    this.wall = wall;
    this.makesRoom = engine::makeRoom;
    this.log = new SharedLog(MapSizes.ofJournal(medium.recordBytesMax()), ReplicaRule.all());
    this.reader = new SharedLogReader(log, isGone);
    medium.onProgress(engine::wakeUp);
    medium.replay(reader::add);
    if (engine.zones() != null) {
      engine.zones().find(this::takeFound);
      medium.force();
    }
    if (foundCount > 0) {
      LOG.log(
          System.Logger.Level.INFO,
          "{0} records had landed in this node''s memory, and are its journal''s now",
          foundCount);
    }
    lastMark = reader.mark();
    marks = lastMark == null ? 0 : lastMark.number();
    durable = medium.durable();
  }

  /** What has landed is the journal's from now on. */
  private void takeFound(int map, ByteBuffer found) {
    foundCount++;
    ByteBuffer record =
        ByteBuffer.allocate(LogCodec.MAP_BYTES + found.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    record.putInt(map).put(found.duplicate()).flip();
    foundAt = medium.append(record);
    for (long tried = 0; foundAt == DurableMedium.NOTHING; tried += REFUSED_NANOS) {
      requireWorking();
      if (tried > FULL_NANOS) {
        throw new IllegalStateException(
            this + " has no room for what is in the zones: set grid.journal.bytes higher");
      }
      medium.force();
      LockSupport.parkNanos(this, REFUSED_NANOS);
      foundAt = medium.append(record);
    }
    reader.add(foundAt, record);
  }

  // --- the control thread ------------------------------------------------------------------------

  /** The most bytes of a map's record. */
  int recordBytesMax() {
    return medium.recordBytesMax() - LogCodec.MAP_BYTES;
  }

  /** When it was here last, null if it does not say. */
  LogRecord.Mark lastMark() {
    return lastMark;
  }

  /** What was found of a map, once. */
  Recovery take(int map) {
    return reader.take(map);
  }

  /** Maps are known to be gone: what was found of them is of no use. */
  void drop(IntPredicate isGone) {
    reader.drop(isGone);
  }

  // --- the worker --------------------------------------------------------------------------------

  /** What a map has in it. */
  SharedLog.Part part(int map) {
    return log.part(map);
  }

  /** Maps are gone: it keeps nothing for them any more. */
  void forget(IntPredicate isGone) {
    log.removeIf(isGone);
    waiting.removeIf(map -> isGone.test(map.definition().id()));
  }

  /** Whether it has what was found in zones. */
  boolean hasWhatWasFound() {
    return medium.durable() >= foundAt;
  }

  /** Tells maps what is durable, and makes room; whether something was done. */
  boolean look() {
    requireWorking();
    long reached = medium.durable();
    boolean progress = reached > durable;
    if (progress) {
      durable = reached;
      for (int left = waiting.size(); left > 0; left--) {
        HostedMap map = waiting.poll();
        if (map.onDurable(reached)) {
          waiting.add(map);
        }
      }
    }
    boolean isHalfFull = medium.isHalfFull();
    warnIfCrowded(isHalfFull);
    log.ask(isHalfFull, makesRoom);
    long needed = log.trimTo(durable);
    if (needed != 0) {
      medium.trim(needed);
    }
    return progress;
  }

  private void warnIfCrowded(boolean isHalfFull) {
    boolean now = isHalfFull && log.live() > medium.bytesMax() / LIVE_PART;
    if (now && !crowded) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} is becoming full: live={1} bytes, most={2} bytes. It is written anew more often than"
              + " it should be, and the node stops when half of it is live. Set"
              + " grid.journal.bytes higher, or remove keys",
          this,
          log.live(),
          medium.bytesMax());
    }
    crowded = now || (crowded && isHalfFull);
  }

  /** How long it is. */
  WorkerFigures.Journal figures() {
    return new WorkerFigures.Journal(medium.bytes(), log.live(), medium.bytesMax());
  }

  /** Up to where all records are durable. */
  long durable() {
    return medium.durable();
  }

  /** Has the medium force what is due, for all maps at once. */
  void force() {
    if (forceNow || (forceAtNanos != 0 && engine.nowNanos() - forceAtNanos >= 0)) {
      forceNow = false;
      forceAtNanos = 0;
      medium.force();
    }
  }

  /** Whether it wants to look at the time soon. */
  boolean isBusy() {
    return forceAtNanos != 0;
  }

  /** Tells a map, from now on until all of its records are durable. */
  void tellDurable(HostedMap map) {
    waiting.add(map);
  }

  /**
   * Appends a record of a map; its position.
   *
   * @param eager whether somebody waits for it
   */
  long append(SharedLog.Part part, int map, LogRecord record, boolean eager) {
    if (!marked || engine.nowNanos() - markedNanos >= MARK_NANOS) {
      mark(false);
    }
    ByteBuffer bytes = engine.encoded(map, record);
    int length = bytes.remaining();
    long position = medium.append(bytes);
    if (position == DurableMedium.NOTHING) {
      position = appendWithPatience(bytes);
    }
    part.appended(position, record, length);
    if (eager) {
      forceNow = true;
    } else if (forceAtNanos == 0) {
      forceAtNanos = engine.nowNanos() + LAZY_NANOS;
    }
    return position;
  }

  /** The worker waits for the device: that is what holds back those who write faster. */
  private long appendWithPatience(ByteBuffer record) {
    long begin = engine.nowNanos();
    long reached = medium.durable();
    long position = DurableMedium.NOTHING;
    while (position == DurableMedium.NOTHING) {
      requireWorking();
      medium.force();
      engine.pause(REFUSED_NANOS);
      if (medium.durable() > reached) {
        reached = medium.durable();
        begin = engine.nowNanos();
      } else if (engine.nowNanos() - begin > FULL_NANOS) {
        throw new IllegalStateException(
            this
                + " takes nothing any more at "
                + medium.bytes()
                + " bytes, of which "
                + log.live()
                + " were live at the last checkpoints: set grid.journal.bytes to at least four"
                + " times that, now "
                + medium.bytesMax()
                + ", or keep fewer entries");
      }
      position = medium.append(record);
    }
    engine.progressed();
    return position;
  }

  private void requireWorking() {
    Throwable failure = medium.failure();
    if (failure != null) {
      throw new IllegalStateException(this + " has failed: " + failure.getMessage(), failure);
    }
  }

  /** Says when it was here; one that has no room at present does so later. */
  private void mark(boolean closed) {
    long millis = wall.nowMillis();
    if (millis != 0) {
      ByteBuffer mark =
          engine.encoded(LogCodec.NO_MAP, new LogRecord.Mark(marks + 1, millis, closed));
      int length = mark.remaining();
      if (medium.append(mark) == DurableMedium.NOTHING) {
        return;
      }
      log.grow(length);
      marks++;
    }
    marked = true;
    markedNanos = engine.nowNanos();
  }

  /**
   * This life of the node is over. The medium is closed and whole.
   *
   * @param inOrder whether all that was begun here was done
   * @throws IOException if not all is durable
   */
  void end(boolean inOrder) throws IOException {
    try {
      if (inOrder && medium.failure() == null) {
        mark(true);
      }
    } finally {
      medium.close();
    }
  }

  @Override
  public String toString() {
    return "The journal of worker " + engine.number();
  }
}
