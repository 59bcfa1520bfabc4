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
package org.orcagrid.medium.chronicle;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.durable.DurableMedium;

/**
 * A log, and behind it a map of what the log was trimmed of. Without a thread: one thread appends,
 * another one or the same calls {@link #step}, which brings the map up to date. What is durable is
 * the log's to say: nothing waits for the map.
 *
 * <p>Invariants: the map holds a prefix of what is durable in the log; the log is trimmed of what
 * the map holds and of what nobody needs, and of nothing else; after a failure nothing is written.
 */
final class KeyedLog implements DurableMedium {
  private final DurableMedium log;
  private final MapFolder folder;
  private final ChronicleLimits limits;
  private final Set<MapRule> rules;

  /** The stepping thread's, from the end of the replay on. */
  private final MapFiles files;

  // Guarded by this.
  private final Gathered gathered;
  private long appended;
  private long trimmed;
  private long logTrimmed;
  private long inMap;
  private long mapBytes;
  private boolean replayBegun;
  private boolean replayed;
  private boolean asked;
  private boolean full;
  private boolean ending;
  private boolean closed;
  private long durableAtFailure;
  private Throwable failure;

  private volatile Runnable listener = () -> {};

  /** Opens what is in a folder; nothing of it is changed. Log and folder are owned then. */
  KeyedLog(
      DurableMedium log,
      MapFolder folder,
      ChronicleLimits limits,
      RecordKeys keys,
      Set<MapRule> rules)
      throws IOException {
    this.log = log;
    this.folder = folder;
    this.limits = limits;
    this.rules = rules;
    this.files = new MapFiles(folder, limits, rules);
    this.gathered = new Gathered(keys);
    files.open();
    this.trimmed = files.manifest().trimmed();
    this.inMap = files.manifest().position();
    this.mapBytes = files.manifest().totals().bytes();
  }

  // --- for the thread that uses the medium -------------------------------------------------------

  @Override
  public int recordBytesMax() {
    return log.recordBytesMax();
  }

  @Override
  public void onProgress(Runnable told) {
    listener = told;
    log.onProgress(told);
  }

  @Override
  public void force() {
    log.force();
  }

  @Override
  public synchronized void replay(Replay replay) throws IOException {
    checkOpen();
    if (replayBegun) {
      throw new IllegalStateException("A medium is replayed once");
    }
    replayBegun = true;
    List<Item> later = new ArrayList<>();
    long[] first = {0};
    log.replay(
        (position, record) -> {
          first[0] = first[0] == 0 ? position : first[0];
          if (position > inMap) {
            later.add(Item.untilTrimmed(position, 0, record));
          }
        });
    appended = log.durable();
    if (appended < inMap && rules.contains(MapRule.REFUSE_DAMAGE)) {
      throw new IOException(
          "The log in "
              + folder.path("")
              + " ends with record "
              + appended
              + " and has held record "
              + inMap
              + ": restore the folder from a copy, or empty it");
    }
    // What the log lacks behind the map was trimmed, and with it all before.
    long logFirst = first[0] == 0 ? appended + 1 : first[0];
    if (logFirst > inMap + 1) {
      trimmed = Math.max(trimmed, logFirst);
    }
    files.replay(
        trimmed,
        item -> {
          replay.onRecord(item.position(), item.record());
          gathered.see(item.record());
        });
    for (Item each : later) {
      replay.onRecord(each.position(), each.record());
      gathered.add(each.position(), each.record());
    }
    replayed = true;
  }

  @Override
  public synchronized long append(ByteBuffer record) {
    checkOpen();
    if (!replayed) {
      throw new IllegalStateException("Records are appended only after those there are were read");
    }
    trimLog();
    long position = log.append(record);
    if (position == NOTHING) {
      // Either the device is busy, or the log is full.
      if (log.durable() == appended || log.bytes() > limits.log().bytesMax() / 2) {
        ask();
      }
      return NOTHING;
    }
    appended = position;
    try {
      gathered.add(position, record);
    } catch (RuntimeException e) {
      // The log has it and the map never would.
      fail(e);
      throw e;
    }
    if (gathered.bytes() >= limits.gatherBytes()) {
      ask();
    }
    return position;
  }

  private void trimLog() {
    long to = Math.max(trimmed, inMap + 1);
    if (!rules.contains(MapRule.MANIFEST_BEFORE_TRIM)) {
      to = Math.max(to, log.durable() + 1);
    }
    if (to > logTrimmed) {
      log.trim(to);
      logTrimmed = to;
    }
  }

  private void checkOpen() {
    Throwable cause = failure();
    if (cause != null) {
      throw new IllegalStateException("The medium has failed: " + cause.getMessage(), cause);
    }
    if (ending) {
      throw new IllegalStateException("The medium is closed");
    }
  }

  /** Asks for a step, if there is something to do in it. */
  private void ask() {
    if (!asked && replayed && (full ? trimmed > inMap : log.durable() > inMap)) {
      asked = true;
      notifyAll();
    }
  }

  @Override
  public synchronized void trim(long position) {
    if (position > trimmed && !ending && failure() == null) {
      trimmed = position;
      if (replayed) {
        trimLog();
      }
      if (full) {
        full = false;
        ask();
      }
    }
  }

  @Override
  public synchronized long bytes() {
    return log.bytes() + (inMap < trimmed ? 0 : mapBytes);
  }

  // --- for any thread ----------------------------------------------------------------------------

  @Override
  public synchronized long durable() {
    return failure == null ? log.durable() : durableAtFailure;
  }

  @Override
  public synchronized Throwable failure() {
    return failure == null ? log.failure() : failure;
  }

  // --- for the thread that brings the map up to date ---------------------------------------------

  /** Waits until a step is asked for; false if none will be any more. */
  synchronized boolean awaitAsked() throws InterruptedException {
    while (!ending && !asked) {
      wait();
    }
    return !ending;
  }

  /**
   * Brings the map up to date with what is durable.
   *
   * @return false if there was nothing to do, no room for it, or if the medium has failed
   */
  boolean step() {
    List<Item> items;
    long upTo;
    long needed;
    synchronized (this) {
      asked = false;
      upTo = rules.contains(MapRule.ONLY_DURABLE) ? log.durable() : appended;
      if (failure() != null || !replayed || (upTo <= inMap && trimmed <= inMap)) {
        return false;
      }
      items = gathered.upTo(upTo);
      needed = trimmed;
    }
    boolean advanced;
    try {
      advanced = files.advance(items, upTo, needed);
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      return false;
    }
    synchronized (this) {
      Manifest manifest = files.manifest();
      inMap = manifest.position();
      mapBytes = manifest.totals().bytes();
      gathered.forget(inMap);
      full = inMap < upTo;
    }
    if (advanced) {
      listener.run();
    }
    return advanced;
  }

  /** The medium has failed for good; whoever waits for it is told. */
  void fail(Throwable cause) {
    synchronized (this) {
      if (failure == null) {
        durableAtFailure = log.durable();
        failure = cause;
      }
      notifyAll();
    }
    listener.run();
  }

  // --- the end -----------------------------------------------------------------------------------

  /** No record comes any more, and no step is begun. */
  synchronized void end() {
    ending = true;
    notifyAll();
  }

  /** Only while nobody steps. The map is left as it is: all that it lacks is in the log. */
  @Override
  public void close() throws IOException {
    end();
    IOException problem = null;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      if (failure != null) {
        problem =
            new IOException("Not everything that was appended is durable: " + failure.getMessage());
        problem.initCause(failure);
      }
    }
    for (Closeable each : new Closeable[] {log::close, folder}) {
      try {
        each.close();
      } catch (IOException e) {
        if (problem == null) {
          problem = e;
        } else {
          problem.addSuppressed(e);
        }
      }
    }
    if (problem != null) {
      throw problem;
    }
  }
}
