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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;
import org.orcagrid.jmh.SameData;

/**
 * A message of Kite in its packet, written and read in place, with a key of 8 bytes and a value of
 * 32. Figures are for one of 16 messages of a packet. The baseline puts and gets the same fields at
 * constant offsets of a buffer.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class MessageBenchmark {
  private static final int MESSAGES = 16;
  private static final int BYTES =
      Message.bytes(Message.HEADER_BYTES, Long.BYTES, SameData.VALUE_BYTES);

  /** A packet with messages in it, and one to write into. */
  @State(Scope.Thread)
  public static class Packets {
    private final ByteBuffer full = packet();
    private final ByteBuffer out = packet();
    private final ByteBuffer value = ByteBuffer.allocateDirect(SameData.VALUE_BYTES);
    private final Message message = new Message();
    private long number;

    private static ByteBuffer packet() {
      return ByteBuffer.allocateDirect(MESSAGES * BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Fills the packet. */
    @Setup
    public void fill() {
      value.put(0, SameData.value(0));
      for (int i = 0; i < MESSAGES; i++) {
        write(full, i * BYTES);
      }
    }

    private void write(ByteBuffer into, int at) {
      number++;
      message.wrap(into, at).begin(MessageType.WRITE, Message.HEADER_BYTES);
      message.keyLength(Long.BYTES).valueLength(SameData.VALUE_BYTES);
      message.id(number).clock(number << 20).view(1);
      into.putLong(message.keyAt(), number);
      into.put(message.valueAt(), value, 0, SameData.VALUE_BYTES);
    }
  }

  /** Writes a packet of messages. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public ByteBuffer write(Packets packets) {
    for (int i = 0; i < MESSAGES; i++) {
      packets.write(packets.out, i * BYTES);
    }
    return packets.out;
  }

  /** Checks each message of a packet and reads its fields, its key and a part of its value. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public long read(Packets packets) {
    Message message = packets.message;
    ByteBuffer full = packets.full;
    int end = MESSAGES * BYTES;
    long sum = 0;
    for (int at = 0; at < end; at += message.bytes()) {
      if (!message.wrap(full, at).isWhole(end) || message.type() != MessageType.WRITE) {
        throw new IllegalStateException("No message is at " + at);
      }
      sum += message.id() + message.clock() + message.view();
      sum += full.getLong(message.keyAt()) + full.getLong(message.valueAt());
    }
    return sum;
  }

  /** The baseline of writing. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public ByteBuffer put(Packets packets) {
    ByteBuffer out = packets.out;
    for (int at = 0; at < MESSAGES * BYTES; at += BYTES) {
      long number = ++packets.number;
      out.putLong(at, 1).putLong(at + 8, SameData.VALUE_BYTES).putLong(at + 16, number);
      out.putLong(at + 24, number << 20).putLong(at + 32, 0).putLong(at + 40, number);
      out.put(at + 48, packets.value, 0, SameData.VALUE_BYTES);
    }
    return out;
  }

  /** The baseline of reading. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public long get(Packets packets) {
    ByteBuffer full = packets.full;
    long sum = 0;
    for (int at = 0; at < MESSAGES * BYTES; at += BYTES) {
      sum += full.getLong(at) + full.getLong(at + 8) + full.getLong(at + 16);
      sum += full.getLong(at + 24) + full.getLong(at + 40) + full.getLong(at + 48);
    }
    return sum;
  }
}
