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
package org.orcagrid.geo.node;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.log.GroupJournal;
import org.orcagrid.geo.log.HostedLog;
import org.orcagrid.geo.log.LogHost;
import org.orcagrid.geo.log.SnapshotFiles;
import org.orcagrid.geo.log.SnapshotPiece;
import org.orcagrid.geo.message.GeoMessage;
import org.orcagrid.geo.partition.Moment;
import org.orcagrid.geo.partition.Partition;
import org.orcagrid.geo.partition.PartitionSettings;
import org.orcagrid.geo.partition.Placement;
import org.orcagrid.geo.replica.Snapshot;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/**
 * A partition's replica in a node: hands it what its log commits, and writes its snapshots. Of the
 * worker's thread.
 */
final class HostedPartition implements LogHost {
  private static final int PIECE_BYTES = 256 << 10;

  /**
   * A log of so many bytes, and half as many as the last snapshot has, is reason for another one:
   * what is logged is in the heap. A replica that misses more than that gets a snapshot.
   */
  private static final long LOG_BYTES_MIN = 1 << 20;

  private final GeoEngine engine;
  private final int number;
  private final Partition partition;
  private final HostedLog log;

  /** What the log has committed and the partition has not seen yet. */
  private final Queue<Runnable> committed = new ArrayDeque<>();

  private boolean waits;

  /** What was committed since the last snapshot was begun. */
  private long logBytes;

  private boolean snapshots;
  private long snapshotBytes;

  /** Whether the bytes of a snapshot are being read to be restored. */
  private boolean restoring;

  private boolean closed;

  HostedPartition(GeoEngine engine, int number, Placement placement) throws IOException {
    this.engine = engine;
    this.number = number;
    PartitionSettings settings =
        new PartitionSettings(
            engine.plan().self(),
            placement,
            1,
            engine.plan().preferred(number),
            GeoPlan.WAITING_MAX);
    this.log = engine.logs().open(this, placement.nodes().get(settings.datacenter()));
    this.partition =
        new Partition(settings, log, this::tell, GeoRule.all(), engine.direct(), engine.moment());
    HostedLog.Base base = log.base();
    if (base.index() > 0) {
      partition.onRestored(engine.files().load(number, base.index()), base.term());
    }
  }

  Partition partition() {
    return partition;
  }

  long term() {
    return log.term();
  }

  /** The first entry that its log still has. */
  long first() {
    return log.first();
  }

  // --- inputs ------------------------------------------------------------------------------------

  /** The partition gets the time, and is looked at when the cycle ends. */
  Partition begin() {
    partition.at(engine.moment());
    log.look();
    if (!waits) {
      waits = true;
      engine.later(this);
    }
    return partition;
  }

  void tick() {
    begin();
    log.tick();
    partition.tick();
    if (logBytes > Math.max(LOG_BYTES_MIN, snapshotBytes / 2)) {
      snapshot();
    }
  }

  void onLog(int from, Decoder in) {
    begin();
    log.onFrame(from, in);
  }

  void onTold(int from, GeoMessage message) {
    begin().onMessage(from, message);
  }

  /** What came of the inputs of this cycle. */
  void end() {
    do {
      while (!restoring && !committed.isEmpty()) {
        committed.poll().run();
      }
      partition.flush();
    } while (!restoring && !committed.isEmpty());
    waits = false;
  }

  void close() {
    closed = true;
    partition.end();
  }

  private void tell(GeoMessage message, int to) {
    engine.send(to, number, message);
  }

  // --- snapshots ---------------------------------------------------------------------------------

  @Override
  public void snapshot() {
    if (snapshots || restoring) {
      return;
    }
    if (partition.replica().applied() <= log.base().index()) {
      return;
    }
    snapshots = true;
    logBytes = 0;
    piece(partition.replica().snapshot(), 0);
  }

  private void piece(Snapshot snapshot, long offset) {
    if (snapshot.isOver()) {
      snapshots = false;
      return;
    }
    byte[] bytes = snapshot.next(PIECE_BYTES);
    boolean isLast = snapshot.isDone();
    long end = offset + bytes.length;
    engine
        .files()
        .write(
            number,
            SnapshotFiles.Source.OWN,
            new SnapshotPiece(snapshot.index(), offset, bytes, isLast),
            () ->
                execute(
                    () -> {
                      if (isLast) {
                        snapshotBytes = end;
                        onWritten(snapshot);
                      } else {
                        piece(snapshot, end);
                      }
                    }));
  }

  private void onWritten(Snapshot snapshot) {
    snapshots = false;
    if (snapshot.index() > log.base().index()) {
      begin();
      log.compact(snapshot.index());
      partition.onCompacted(snapshot);
    }
  }

  @Override
  public void restore(HostedLog.Base base) {
    committed.add(
        () -> {
          restoring = true;
          engine.files().load(number, base.index(), bytes -> execute(() -> restored(base, bytes)));
        });
  }

  private void restored(HostedLog.Base base, byte[] bytes) {
    if (bytes == null) {
      throw new IllegalStateException(
          "The snapshot " + base + " of partition " + number + " is gone");
    }
    restoring = false;
    begin().onRestored(bytes, base.term());
  }

  // --- what the log asks for ---------------------------------------------------------------------

  @Override
  public int number() {
    return number;
  }

  @Override
  public GroupJournal journal() {
    return engine.journal();
  }

  @Override
  public Moment moment() {
    return engine.moment();
  }

  @Override
  public void wake() {
    begin();
  }

  @Override
  public void execute(Runnable task) {
    engine.execute(
        () -> {
          // A file may have been read or written after the node's journal was closed.
          if (!closed) {
            task.run();
          }
        });
  }

  @Override
  public long time() {
    return partition.time();
  }

  @Override
  public void heardTime(long time) {
    partition.heardTime(time);
  }

  @Override
  public Encoder frame() {
    return engine.frame();
  }

  @Override
  public void send(int to, Encoder frame) {
    engine.send(to, number, frame);
  }

  @Override
  public void committed(long index, long term, byte[] command) {
    logBytes += command == null ? 0 : command.length;
    committed.add(() -> partition.onEntry(index, term, command));
  }

  @Override
  public long applied() {
    return partition.replica().applied();
  }
}
