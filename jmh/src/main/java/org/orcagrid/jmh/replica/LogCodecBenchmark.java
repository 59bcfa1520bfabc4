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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.jmh.SameData;

/**
 * A version as a record of the log and back, with a key of 16 bytes and a value of 32. The baseline
 * copies the same bytes.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class LogCodecBenchmark {

  /** A record and its bytes. */
  @State(Scope.Thread)
  public static class Records {
    private LogRecord record;
    private ByteBuffer encoded;
    private ByteBuffer out;
    private byte[] bytes;

    /** Makes them. */
    @Setup
    public void make() {
      Key key = Key.of(String.format("key-%012d", 7));
      record = new LogRecord.Version(new Write(key, Timestamp.clock(7, 1), SameData.value(7)));
      int bytesMax = LogCodec.bytes(record);
      out = ByteBuffer.allocateDirect(bytesMax).order(ByteOrder.LITTLE_ENDIAN);
      encoded = ByteBuffer.allocateDirect(bytesMax).order(ByteOrder.LITTLE_ENDIAN);
      LogCodec.encode(record, encoded);
      encoded.flip();
      bytes = new byte[encoded.limit()];
      encoded.get(0, bytes);
    }
  }

  /** Writes the record. */
  @Benchmark
  public ByteBuffer encode(Records records) {
    LogCodec.encode(records.record, records.out.clear());
    return records.out;
  }

  /** Reads the record. */
  @Benchmark
  public LogRecord decode(Records records) {
    return LogCodec.decode(records.encoded.rewind());
  }

  /** The baseline: puts the bytes of the record. */
  @Benchmark
  public ByteBuffer putBytes(Records records) {
    return records.out.clear().put(records.bytes);
  }
}
