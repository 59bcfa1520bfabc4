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
package org.orcagrid.jmh.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.server.wire.PeerMessage;
import org.orcagrid.server.wire.PeerMessageCodec;

/**
 * The message by which a learner tells its leader what it has persisted and applied, as bytes and
 * back. The baseline is a buffer with the same fields.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class PeerMessageCodecBenchmark {

  /** Indexes that grow, and a message with them. */
  @State(Scope.Thread)
  public static class Messages {
    private final byte[] encoded = PeerMessageCodec.encode(new PeerMessage.Progress(77, 78));
    private long index;
  }

  /** Makes a message and its bytes. */
  @Benchmark
  public byte[] encode(Messages messages) {
    long index = ++messages.index;
    return PeerMessageCodec.encode(new PeerMessage.Progress(index, index));
  }

  /** Makes a message from its bytes. */
  @Benchmark
  public PeerMessage decode(Messages messages) throws IOException {
    return PeerMessageCodec.decode(messages.encoded);
  }

  /** The baseline: puts two bytes and two longs into a new array. */
  @Benchmark
  public byte[] put(Messages messages) {
    long index = ++messages.index;
    ByteBuffer bytes = ByteBuffer.allocate(2 + 2 * Long.BYTES);
    return bytes.put((byte) 2).put((byte) 5).putLong(index).putLong(index).array();
  }
}
