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
package org.orcagrid.jmh.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.jmh.Folders;
import org.orcagrid.jmh.OverlayRequests;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.log.OrcaTxnLog;

/**
 * The journal of the ZooKeeper overlay: transactions are serialized and appended in batches of 64,
 * and written out or forced. The baseline is stock ZooKeeper's log, which has no way but to force.
 * Each iteration has a folder of its own under {@code java.io.tmpdir}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class OrcaTxnLogBenchmark {
  private static final int BATCH = 64;
  private static final byte[] DATA = new byte[100];
  private static final String PATH = "/node";
  private static final byte[] WRITE = OverlayRequests.setData(PATH, DATA);

  /** A log, ours or stock ZooKeeper's. */
  public abstract static class Log {
    private Path folder;
    private long zxid;

    abstract void open(Path in);

    abstract TxnLog log();

    /** Begins a log. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
      folder = Folders.create("journal");
      open(folder);
    }

    final void appendAll() throws IOException {
      for (int i = 0; i < BATCH; i++) {
        if (!log().append(OverlayRequests.committed(WRITE, ++zxid, PATH, DATA))) {
          throw new IllegalStateException("Transaction " + zxid + " was not appended");
        }
      }
    }

    /** Deletes the log. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
      log().close();
      Folders.delete(folder);
    }
  }

  /** Ours. */
  @State(Scope.Thread)
  public static class Ours extends Log {
    private OrcaTxnLog log;

    @Override
    void open(Path in) {
      log = new OrcaTxnLog(in.toFile(), LogStorage.files());
    }

    @Override
    TxnLog log() {
      return log;
    }
  }

  /** Stock ZooKeeper's. */
  @State(Scope.Thread)
  public static class Stock extends Log {
    private FileTxnLog log;

    @Override
    void open(Path in) {
      log = new FileTxnLog(in.toFile());
    }

    @Override
    TxnLog log() {
      return log;
    }
  }

  /** One of 64 transactions that are handed to the operating system. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void appendAndWriteOut(Ours ours) throws IOException {
    ours.appendAll();
    ours.log.writeOut();
  }

  /** One of 64 transactions that are forced together. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void appendAndForce(Ours ours) throws IOException {
    ours.appendAll();
    ours.log.commit();
  }

  /** The baseline of that. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void appendAndForceStock(Stock stock) throws IOException {
    stock.appendAll();
    stock.log.commit();
  }
}
