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
package org.orcagrid.jmh.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.log.LogSettings;
import org.orcagrid.jmh.Folders;

/**
 * Records that are appended to the log and waited for, beside the same bytes that are written to a
 * preallocated file and forced by the thread that has them. In a folder under {@code
 * java.io.tmpdir}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class LogMediumBenchmark {

  /** What is written at once. */
  @State(Scope.Benchmark)
  public static class Records {
    /** Bytes of a record. */
    @Param({"64", "4096"})
    public int bytes;

    /** Records that become durable together. */
    @Param({"1", "64"})
    public int records;

    private ByteBuffer record;

    /** Makes them. */
    @Setup
    public void make() {
      record = ByteBuffer.allocateDirect(bytes);
      while (record.hasRemaining()) {
        record.put((byte) record.position());
      }
      record.flip();
    }
  }

  /** A log whose progress wakes the benchmark's thread. */
  @State(Scope.Benchmark)
  public static class Log {
    private volatile Thread waiting;
    private Path folder;
    private LogMedium medium;

    /** Opens it. */
    @Setup
    public void open() throws IOException {
      folder = Folders.create("medium");
      medium = LogMedium.open(LogSettings.of(folder), task -> new Thread(task, "log"));
      medium.onProgress(() -> LockSupport.unpark(waiting));
      medium.replay((position, record) -> {});
    }

    private long append(ByteBuffer record) {
      long position = medium.append(record);
      while (position == DurableMedium.NOTHING) {
        Thread.onSpinWait();
        position = medium.append(record);
      }
      return position;
    }

    private void await(long position) {
      waiting = Thread.currentThread();
      while (medium.durable() < position && medium.failure() == null) {
        LockSupport.park(this);
      }
    }

    /** Closes it. */
    @TearDown
    public void close() throws IOException {
      medium.close();
      Folders.delete(folder);
    }
  }

  /** A file of the length of a segment, written from its beginning to its end and over again. */
  @State(Scope.Benchmark)
  public static class File {
    private static final int BYTES = 16 << 20;

    private Path folder;
    private FileChannel channel;
    private ByteBuffer all;
    private long at;

    /** Opens it. */
    @Setup
    public void open(Records records) throws IOException {
      folder = Folders.create("medium");
      channel =
          FileChannel.open(
              folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      ByteBuffer zeros = ByteBuffer.allocateDirect(BYTES);
      while (zeros.hasRemaining()) {
        channel.write(zeros, zeros.position());
      }
      channel.force(true);
      all = ByteBuffer.allocateDirect(records.bytes * records.records);
    }

    /** Closes it. */
    @TearDown
    public void close() throws IOException {
      channel.close();
      Folders.delete(folder);
    }
  }

  /** Appends, asks, and waits until it is durable; the log is trimmed, so that files are reused. */
  @Benchmark
  public void logAppendAndWait(Log log, Records records) {
    long position = 0;
    for (int i = 0; i < records.records; i++) {
      position = log.append(records.record);
    }
    log.medium.force();
    log.await(position);
    log.medium.trim(position);
  }

  /** Copies the same records into one buffer, writes it and forces it. */
  @Benchmark
  public void bareForce(File file, Records records) throws IOException {
    ByteBuffer all = file.all.clear();
    for (int i = 0; i < records.records; i++) {
      all.put(records.record.duplicate());
    }
    all.flip();
    int bytes = all.remaining();
    file.channel.write(all, file.at);
    file.channel.force(false);
    file.at = file.at + 2L * bytes > File.BYTES ? 0 : file.at + bytes;
  }
}
