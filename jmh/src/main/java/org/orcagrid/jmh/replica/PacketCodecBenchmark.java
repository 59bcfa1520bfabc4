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
import java.util.ArrayList;
import java.util.List;
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
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Packet;
import org.orcagrid.ddp.replica.wire.PacketCodec;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;
import org.orcagrid.jmh.SameData;

/**
 * A packet between replicas as bytes and back, with keys of 16 bytes and values of 32. The baseline
 * copies the same bytes.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class PacketCodecBenchmark {

  /** A packet and its bytes. */
  @State(Scope.Thread)
  public static class Packets {
    /** What the packet brings: an invalidation, its acknowledgement, or a transaction of one. */
    @Param({"inv", "ack", "txEnd"})
    public String message;

    /** How many of them. */
    @Param({"1", "32"})
    public int messages;

    private Packet packet;
    private ByteBuffer encoded;
    private ByteBuffer out;
    private byte[] bytes;

    /** Makes them. */
    @Setup
    public void make() {
      List<ReplicaMessage> all = new ArrayList<>();
      for (int i = 0; i < messages; i++) {
        all.add(message(i));
      }
      packet = new Packet(4, 1, 2, 1L << 34, 6, 1L << 35, true, all);
      int bytesMax = PacketCodec.bytes(packet);
      out = ByteBuffer.allocateDirect(bytesMax).order(ByteOrder.LITTLE_ENDIAN);
      encoded = ByteBuffer.allocateDirect(bytesMax).order(ByteOrder.LITTLE_ENDIAN);
      PacketCodec.encode(packet, encoded);
      encoded.flip();
      bytes = new byte[encoded.limit()];
      encoded.get(0, bytes);
    }

    private ReplicaMessage message(int number) {
      Key key = Key.of(String.format("key-%012d", number));
      long clock = Timestamp.clock(number + 1L, 1);
      Write write = new Write(key, clock, SameData.value(number));
      return switch (message) {
        case "inv" -> new ReplicaMessage.Inv(write);
        case "ack" -> new ReplicaMessage.Ack(key, clock, ReplicaMessage.CONSISTENCY);
        case "txEnd" -> new ReplicaMessage.TxEnd(clock, List.of(write));
        default -> throw new IllegalArgumentException("There is no message " + message);
      };
    }
  }

  /** Sizes a packet and writes it. */
  @Benchmark
  public ByteBuffer encode(Packets packets) {
    if (PacketCodec.bytes(packets.packet) > packets.out.capacity()) {
      throw new IllegalStateException("The packet has grown");
    }
    PacketCodec.encode(packets.packet, packets.out.clear());
    return packets.out;
  }

  /** Reads a packet. */
  @Benchmark
  public Packet decode(Packets packets) {
    return PacketCodec.decode(packets.encoded.rewind());
  }

  /** The baseline: puts the bytes of the packet. */
  @Benchmark
  public ByteBuffer putBytes(Packets packets) {
    return packets.out.clear().put(packets.bytes);
  }
}
