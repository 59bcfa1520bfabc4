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
package org.orcagrid.jmh.replica;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
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
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.log.LogSettings;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.Effects;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.Recovery;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ValueTime;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Packet;
import org.orcagrid.jmh.Folders;

/**
 * A start after a crash: a log in a folder under {@code java.io.tmpdir} is opened, and read into a
 * replica, once and front to back. The log's files are in the page cache.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx3g")
@Warmup(iterations = 1)
@Measurement(iterations = 4)
public class RecoveryBenchmark {

  /** A log with one version of each key. */
  @State(Scope.Benchmark)
  public static class Log {
    /** Keys of 16 bytes with values of 100. */
    @Param("1000000")
    public int entries;

    private Path folder;

    /** Writes it. */
    @Setup
    public void write() throws IOException {
      folder = Folders.create("recovery");
      ByteBuffer out = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
      try (LogMedium medium = open()) {
        medium.replay((position, record) -> {});
        for (int i = 0; i < entries; i++) {
          Key key = Key.of(String.format("key-%012d", i));
          Write write = new Write(key, Timestamp.clock(i + 1L, 1), new byte[100]);
          LogCodec.encode(new LogRecord.Version(write), out.clear());
          append(medium, out.flip());
        }
      }
    }

    private static void append(LogMedium medium, ByteBuffer record) {
      while (medium.append(record) == DurableMedium.NOTHING) {
        Thread.onSpinWait();
      }
    }

    private LogMedium open() throws IOException {
      return LogMedium.open(LogSettings.of(folder), task -> new Thread(task, "log"));
    }

    /** Deletes it. */
    @TearDown
    public void delete() throws IOException {
      Folders.delete(folder);
    }
  }

  /** Does nothing. */
  private record Nothing() implements Effects {
    @Override
    public void send(int peer, Packet packet) {}

    @Override
    public long persist(LogRecord record, boolean eager) {
      return 0;
    }

    @Override
    public void trim(long position, long live) {}

    @Override
    public void completed(Operation operation) {}

    @Override
    public void caughtUp(int view) {}
  }

  /** Opens the log and reads it into a replica. */
  @Benchmark
  public Replica recover(Log log) throws IOException {
    ReplicaSettings settings =
        new ReplicaSettings(
            3,
            0,
            Ddp.parse("linearizable/synchronous"),
            ReplicaSettings.Conflicts.ABORT,
            new ReplicaSettings.Times(1, 1),
            1000);
    Replica replica = new Replica(settings, ReplicaRule.all(), new Nothing());
    Recovery recovery = new Recovery();
    try (LogMedium medium = log.open()) {
      medium.replay(
          (position, record) ->
              recovery.add(LogCodec.decode(record.order(ByteOrder.LITTLE_ENDIAN))));
    }
    replica.recover(recovery, null, ValueTime.NEVER);
    if (replica.peek(Key.of(String.format("key-%012d", log.entries - 1))) == null) {
      throw new IllegalStateException("The last entry is missing");
    }
    return replica;
  }
}
