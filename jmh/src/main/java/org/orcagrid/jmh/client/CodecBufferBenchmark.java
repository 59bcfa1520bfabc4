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
package org.orcagrid.jmh.client;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
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
import org.orcagrid.client.Codec;
import org.orcagrid.client.CodecBuffer;
import org.orcagrid.jmh.SameData;

/**
 * Values as bytes and back, through the client's codecs. Each has the shortest way of the JDK
 * beside it as its baseline.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBufferBenchmark {

  private record Point(long x, long y, String name) {}

  private static final Codec<Point> POINT =
      Codec.of(
          (point, out) -> out.putLong(point.x()).putLong(point.y()).putString(point.name()),
          in -> new Point(in.getLong(), in.getLong(), in.getString()));

  /** A buffer, values, and their bytes. */
  @State(Scope.Thread)
  public static class Values {
    private final CodecBuffer buffer = new CodecBuffer();
    private final byte[] bytes = SameData.value(0);
    private final String text = "a value of thirty-two characters";
    private final byte[] encodedText = text.getBytes(StandardCharsets.UTF_8);
    private final Point point = new Point(1L << 40, 2L << 40, "a point");
    private final byte[] encodedPoint = buffer.encode(POINT, point);
    private long number;
  }

  /** A number as bytes. */
  @Benchmark
  public byte[] encodeLong(Values values) {
    return values.buffer.encode(Codec.LONG, ++values.number);
  }

  /** Its baseline. */
  @Benchmark
  public byte[] putLong(Values values) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.putLong(++values.number).array();
  }

  /** A text of 32 characters as bytes. */
  @Benchmark
  public byte[] encodeString(Values values) {
    return values.buffer.encode(Codec.STRING, values.text);
  }

  /** Its baseline. */
  @Benchmark
  public byte[] getBytesOfString(Values values) {
    return values.text.getBytes(StandardCharsets.UTF_8);
  }

  /** A text from bytes. */
  @Benchmark
  public String decodeString(Values values) {
    return values.buffer.decode(Codec.STRING, values.encodedText);
  }

  /** Its baseline. */
  @Benchmark
  public String newString(Values values) {
    return new String(values.encodedText, StandardCharsets.UTF_8);
  }

  /** 32 bytes as they are. */
  @Benchmark
  public byte[] encodeBytes(Values values) {
    return values.buffer.encode(Codec.BYTES, values.bytes);
  }

  /** Its baseline. */
  @Benchmark
  public byte[] cloneBytes(Values values) {
    return values.bytes.clone();
  }

  /** A record of two numbers and a text, as bytes. */
  @Benchmark
  public byte[] encodeRecord(Values values) {
    return values.buffer.encode(POINT, values.point);
  }

  /** The record from its bytes. */
  @Benchmark
  public Object decodeRecord(Values values) {
    return values.buffer.decode(POINT, values.encodedPoint);
  }
}
