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
package org.orcagrid.geo.log.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.geo.log.GroupJournal;
import org.orcagrid.geo.log.HostedLog;
import org.orcagrid.geo.log.LogHost;
import org.orcagrid.geo.log.LogKind;
import org.orcagrid.geo.log.LogNode;
import org.orcagrid.geo.log.NodeLogs;
import org.orcagrid.geo.log.SnapshotFiles;
import org.orcagrid.geo.log.SnapshotPiece;
import org.orcagrid.geo.partition.Moment;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/** A node with one partition, whose state is the list of all its commands. */
final class LabNode implements LogHost {
  private static final int PARTITION = 3;
  private static final long CYCLE_MILLIS = 2;
  private static final long TICK_NANOS = 50_000_000;
  private static final int BYTES_MAX = 1 << 20;

  private final LogLab lab;
  private final int number;
  private final Path folder;
  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Queue<Runnable> committed = new ArrayDeque<>();
  private final List<Applied> state = new ArrayList<>();
  private final Encoder out = new Encoder();
  private final SnapshotFiles files;
  private final GroupJournal journal;
  private final NodeLogs logs;
  private final HostedLog log;
  private final Thread thread;

  private volatile boolean ended;
  private Moment moment = new Moment(System.nanoTime(), 0, 0);
  private long tickedNanos = System.nanoTime();
  private long applied;
  private int restored;
  private boolean snapshots;
  private long time;
  private long heardTime;

  /** A command as it was applied. */
  record Applied(long index, long term, String command) {}

  LabNode(LogLab lab, LogKind kind, LogNode.Timing timing, int number) throws IOException {
    this.lab = lab;
    this.number = number;
    this.folder = lab.folder(number);
    this.files =
        new SnapshotFiles(
            folder.resolve("snapshots"), task -> new Thread(task, "lab-files"), lab::fail);
    MediumKind medium = LogMedium.kind(SegmentLimits.DEFAULT);
    this.journal =
        new GroupJournal(
            medium.open(folder.resolve("journal"), task -> new Thread(task, "lab-journal")),
            () -> {});
    this.logs =
        kind.open(
            new LogNode(number, lab.addresses(), lab.storeId(), folder, files, timing, lab::fail));
    this.log = logs.open(this, List.of(0, 1, 2));
    if (log.base().index() > 0) {
      restoreNow(log.base());
    }
    this.thread = new Thread(this::run, "lab-" + number);
    thread.start();
    logs.start();
  }

  // --- the thread --------------------------------------------------------------------------------

  private void run() {
    try {
      while (!ended) {
        Runnable task = tasks.poll(CYCLE_MILLIS, TimeUnit.MILLISECONDS);
        look();
        for (int i = 0; task != null; i++) {
          task.run();
          task = i < BYTES_MAX ? tasks.poll() : null;
        }
        cycle();
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      lab.fail(e);
    }
  }

  private void look() {
    long nanos = System.nanoTime();
    long millis = System.currentTimeMillis();
    moment = new Moment(nanos, millis, millis);
  }

  private void cycle() {
    look();
    journal.look(moment.nanos());
    log.look();
    if (moment.nanos() - tickedNanos >= TICK_NANOS) {
      tickedNanos = moment.nanos();
      log.tick();
    }
    while (!committed.isEmpty()) {
      committed.poll().run();
    }
    journal.force();
  }

  /** Asks something in the node's thread. */
  <T> T ask(Function<LabNode, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    execute(() -> answer.complete(question.apply(this)));
    return answer.orTimeout(LogLab.LIMIT_SECONDS, TimeUnit.SECONDS).join();
  }

  void receive(int from, byte[] frame) {
    execute(
        () -> {
          log.look();
          log.onFrame(from, new Decoder(frame));
        });
  }

  // --- of the node's thread ----------------------------------------------------------------------

  HostedLog log() {
    return log;
  }

  List<Applied> state() {
    return List.copyOf(state);
  }

  boolean has(String command) {
    return state.stream().anyMatch(each -> each.command().equals(command));
  }

  int restored() {
    return restored;
  }

  void setTime(long millis) {
    time = millis;
  }

  long heard() {
    return heardTime;
  }

  // --- the host ----------------------------------------------------------------------------------

  @Override
  public int number() {
    return PARTITION;
  }

  @Override
  public GroupJournal journal() {
    return journal;
  }

  @Override
  public Moment moment() {
    return moment;
  }

  @Override
  public void wake() {
    log.look();
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public long time() {
    return time;
  }

  @Override
  public void heardTime(long heard) {
    heardTime = Math.max(heardTime, heard);
  }

  @Override
  public Encoder frame() {
    return out.clear();
  }

  @Override
  public void send(int to, Encoder frame) {
    lab.deliver(number, to, frame.toBytes());
  }

  @Override
  public void committed(long index, long term, byte[] command) {
    committed.add(() -> apply(index, term, command));
  }

  private void apply(long index, long term, byte[] command) {
    lab.require(index == applied + 1, "entry " + index + " comes after " + applied);
    lab.require(
        state.isEmpty() || term >= state.get(state.size() - 1).term(), "terms do not go back");
    applied = index;
    if (command != null) {
      state.add(new Applied(index, term, new String(command, StandardCharsets.UTF_8)));
    }
  }

  @Override
  public void restore(HostedLog.Base base) {
    committed.add(() -> restoreNow(base));
  }

  private void restoreNow(HostedLog.Base base) {
    try {
      Decoder in = new Decoder(files.load(PARTITION, base.index()));
      state.clear();
      int count = in.getInt(BYTES_MAX);
      for (int i = 0; i < count; i++) {
        state.add(
            new Applied(
                in.getNumber(),
                in.getNumber(),
                new String(in.getPresent(BYTES_MAX), StandardCharsets.UTF_8)));
      }
      applied = base.index();
      restored++;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long applied() {
    return applied;
  }

  @Override
  public void snapshot() {
    if (snapshots || applied <= log.base().index()) {
      return;
    }
    snapshots = true;
    Encoder all = new Encoder().putNumber(state.size());
    for (Applied each : state) {
      all.putNumber(each.index()).putNumber(each.term());
      all.putBytes(each.command().getBytes(StandardCharsets.UTF_8));
    }
    long index = applied;
    files.write(
        PARTITION,
        SnapshotFiles.Source.OWN,
        new SnapshotPiece(index, 0, all.toBytes(), true),
        () ->
            execute(
                () -> {
                  snapshots = false;
                  if (index > log.base().index()) {
                    log.compact(index);
                  }
                }));
  }

  void close() {
    ended = true;
    try {
      thread.join();
      logs.close();
      journal.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    files.close();
  }
}
