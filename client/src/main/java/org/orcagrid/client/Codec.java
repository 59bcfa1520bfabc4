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
package org.orcagrid.client;

import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * How keys or values of a type become bytes and back. Two values are the same to a compare-and-set
 * if their bytes are. Must be safe for use by many threads.
 *
 * @param <T> the type
 */
public interface Codec<T> {

  /** Bytes as they are. They are copied. */
  Codec<byte[]> BYTES = of((value, out) -> out.putBytes(value), Input::remainingBytes);

  /** Text as UTF-8. */
  Codec<String> STRING =
      of(
          (value, out) -> out.putBytes(value.getBytes(StandardCharsets.UTF_8)),
          in -> new String(in.remainingBytes(), StandardCharsets.UTF_8));

  /** A long as 8 bytes, as {@code getAndAdd} wants it. */
  Codec<Long> LONG = of((value, out) -> out.putLong(value), Input::getLong);

  /** Writes a value; never null. */
  void write(T value, Output out);

  /** Reads a value. */
  T read(Input in);

  /**
   * A codec from a way to write and a way to read. For a record:
   *
   * <pre>{@code
   * Codec<Point> POINT = Codec.of(
   *     (point, out) -> out.putLong(point.x()).putLong(point.y()),
   *     in -> new Point(in.getLong(), in.getLong()));
   * }</pre>
   */
  static <T> Codec<T> of(BiConsumer<T, Output> writer, Function<Input, T> reader) {
    return new Codec<>() {
      @Override
      public void write(T value, Output out) {
        writer.accept(value, out);
      }

      @Override
      public T read(Input in) {
        return reader.apply(in);
      }
    };
  }
}
