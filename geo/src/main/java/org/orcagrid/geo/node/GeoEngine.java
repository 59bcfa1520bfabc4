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
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.ddp.worker.Engine;
import org.orcagrid.ddp.worker.Frames;
import org.orcagrid.ddp.worker.PacketHeader;
import org.orcagrid.ddp.worker.Packets;
import org.orcagrid.ddp.worker.Worker;
import org.orcagrid.geo.log.GroupJournal;
import org.orcagrid.geo.log.NodeLogs;
import org.orcagrid.geo.log.SnapshotFiles;
import org.orcagrid.geo.message.GeoMessage;
import org.orcagrid.geo.message.MessageCodec;
import org.orcagrid.geo.partition.Moment;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/**
 * The partitions of a worker: hands them what arrives, has them look at their journal and the time,
 * and sends what has gathered. All groups beat in the same cycle, so that a pair of workers has one
 * packet with the beats of all of them.
 */
final class GeoEngine implements Engine {
  private static final System.Logger LOG = System.getLogger(GeoEngine.class.getName());

  private static final long TICK_NANOS = 50_000_000;
  private static final long MARK_NANOS = 400_000_000;
  private static final long BUSY_SLEEP_NANOS = 500_000;

  private static final int LOG_FRAME = 1;
  private static final int GEO_FRAME = 2;

  private final Worker worker;
  private final GeoPlan plan;
  private final Frames[] frames;
  private final LongSupplier wall;
  private final SnapshotFiles files;
  private final NodeLogs logs;
  private final GroupJournal journal;
  private final DirectMemory direct;
  private final Consumer<Throwable> failures;
  private final Map<Integer, HostedPartition> partitions = new HashMap<>();

  /** Those with inputs in this cycle. */
  private final List<HostedPartition> dirty = new ArrayList<>();

  private final Encoder out = new Encoder();

  /**
   * How long packets to other datacenters wait in a trial, what is forwarded more, and those that
   * do.
   */
  private final long wanNanos;

  private final long forwardNanos;

  /** The partition whose packets are dropped now, in a trial; -1 for none. */
  private int stalled = -1;

  private final GeoConfig.Trial trial;
  private final Path stallMark;

  private final ArrayDeque<Late> late = new ArrayDeque<>();
  private final ArrayDeque<Late> forwarded = new ArrayDeque<>();
  private Moment moment;
  private long shownMillis;
  private long tickedNanos;
  private long markedNanos;
  private boolean busy;

  /** What a node's engines have in common. */
  record Shared(
      GeoPlan plan,
      LongSupplier wall,
      SnapshotFiles files,
      NodeLogs logs,
      DirectMemory direct,
      Consumer<Throwable> failures,
      GeoConfig.Trial trial,
      Path folder) {}

  GeoEngine(Worker worker, Packets packets, GroupJournal journal, Shared shared, List<Integer> own)
      throws IOException {
    this.worker = worker;
    this.plan = shared.plan();
    this.wall = shared.wall();
    this.files = shared.files();
    this.logs = shared.logs();
    this.direct = shared.direct();
    this.failures = shared.failures();
    this.journal = journal;
    this.trial = shared.trial();
    this.stallMark = shared.folder().resolve(GeoConfig.Trial.STALL);
    this.wanNanos = shared.trial().wanMillis() * 1_000_000 / 2;
    this.forwardNanos = shared.trial().forwardMillis() * 1_000_000;
    this.frames = Frames.toPeers(packets, plan.nodes().size(), plan.self());
    this.shownMillis = journal.pastMillis();
    look(worker.clock().nanoTime());
    this.tickedNanos = moment.nanos();
    this.markedNanos = moment.nanos() - MARK_NANOS;
    for (int each : own) {
      partitions.put(each, new HostedPartition(this, each, plan.placement(each)));
    }
  }

  // --- for the partitions ------------------------------------------------------------------------

  GeoPlan plan() {
    return plan;
  }

  NodeLogs logs() {
    return logs;
  }

  GroupJournal journal() {
    return journal;
  }

  SnapshotFiles files() {
    return files;
  }

  DirectMemory direct() {
    return direct;
  }

  Moment moment() {
    return moment;
  }

  void later(HostedPartition partition) {
    dirty.add(partition);
  }

  /** An empty frame of a log; there is one at a time. */
  Encoder frame() {
    return out.clear().putByte(LOG_FRAME);
  }

  void send(int to, int partition, Encoder frame) {
    if (partition == stalled) {
      return;
    }
    frames[to].send(partition, ByteBuffer.wrap(frame.toBytes()));
  }

  /** A message that is to arrive late. */
  private record Late(long atNanos, int to, int partition, ByteBuffer bytes) {}

  void send(int to, int partition, GeoMessage message) {
    if (partition == stalled) {
      return;
    }
    out.clear().putByte(GEO_FRAME);
    MessageCodec.write(out, message);
    ByteBuffer bytes = ByteBuffer.wrap(out.toBytes());
    long waits = plan.datacenter(to) == plan.datacenter(plan.self()) ? 0 : wanNanos;
    boolean isForwarded =
        message instanceof GeoMessage.Replicate writes && !writes.writes().writes().isEmpty();
    if (isForwarded && forwardNanos > 0) {
      forwarded.add(new Late(moment.nanos() + waits + forwardNanos, to, partition, bytes));
    } else if (waits > 0) {
      late.add(new Late(moment.nanos() + waits, to, partition, bytes));
    } else {
      frames[to].send(partition, bytes);
    }
  }

  private void sendLate(ArrayDeque<Late> some) {
    while (!some.isEmpty() && some.peek().atNanos() - moment.nanos() <= 0) {
      Late first = some.poll();
      frames[first.to()].send(first.partition(), first.bytes());
    }
  }

  // --- any thread --------------------------------------------------------------------------------

  /** Does something in the worker's thread. */
  void execute(Runnable task) {
    worker.execute(task);
  }

  /** A partition, null if it is not here; of the worker's thread. */
  HostedPartition partition(int number) {
    return partitions.get(number);
  }

  /** Shows all partitions, in the worker's thread. */
  void forEach(Consumer<HostedPartition> what) {
    partitions.values().forEach(what);
  }

  long journalBytes() {
    return journal.bytes();
  }

  // --- the duty cycle ----------------------------------------------------------------------------

  @Override
  public int part() {
    return PacketHeader.PARTITIONS;
  }

  private void look(long nowNanos) {
    shownMillis = Math.max(shownMillis, wall.getAsLong());
    moment = new Moment(nowNanos, shownMillis, journal.pastMillis());
  }

  @Override
  public void onPacket(int from, ByteBuffer packet, int length, long nowNanos) {
    look(nowNanos);
    frames[from].receive(packet, length, (partition, content) -> onFrame(from, partition, content));
  }

  private void onFrame(int from, int number, ByteBuffer content) {
    HostedPartition partition = partitions.get(number);
    if (partition == null) {
      throw new MalformedPacketException(
          "Node " + from + " speaks of partition " + number + ", which this worker has not");
    }
    if (number == stalled) {
      return;
    }
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    Decoder in = new Decoder(bytes);
    int kind = in.getByte();
    switch (kind) {
      case LOG_FRAME -> partition.onLog(from, in);
      case GEO_FRAME -> partition.onTold(from, MessageCodec.read(in));
      default -> throw new MalformedPacketException("There is no frame " + kind);
    }
  }

  @Override
  public int work(long nowNanos) {
    look(nowNanos);
    boolean progress = journal.look(nowNanos);
    if (nowNanos - tickedNanos >= TICK_NANOS) {
      tickedNanos = nowNanos;
      if (trial.stalled() >= 0) {
        stalled = Files.exists(stallMark) ? trial.stalled() : -1;
      }
      partitions.values().forEach(HostedPartition::tick);
    }
    if (nowNanos - markedNanos >= MARK_NANOS) {
      markedNanos = nowNanos;
      journal.mark(shownMillis);
    }
    int done = dirty.size();
    for (int i = 0; i < dirty.size(); i++) {
      dirty.get(i).end();
    }
    dirty.clear();
    sendLate(late);
    sendLate(forwarded);
    busy = done > 0 || progress || !late.isEmpty() || !forwarded.isEmpty();
    return done + (progress ? 1 : 0);
  }

  @Override
  public void flush() {
    journal.force();
    for (Frames each : frames) {
      if (each != null) {
        each.flush();
      }
    }
  }

  @Override
  public long sleepNanosMax() {
    return busy ? BUSY_SLEEP_NANOS : TICK_NANOS;
  }

  @Override
  public void end(Throwable reason, boolean inOrder) {
    partitions.values().forEach(HostedPartition::close);
    try {
      journal.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "The journal was not closed in order", e);
      failures.accept(e);
    } finally {
      // Clients' requests may still be queued: they are refused, as the log is closed.
      partitions.clear();
    }
  }
}
