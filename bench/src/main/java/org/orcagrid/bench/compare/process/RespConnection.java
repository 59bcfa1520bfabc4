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
package org.orcagrid.bench.compare.process;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A connection to a Redis server in its protocol, RESP 2: commands are gathered and sent together,
 * and their replies are read in their order. For one thread.
 */
final class RespConnection implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int LINE_BYTES_MAX = 512;
  private static final byte[] GET = ascii("*2\r\n$3\r\nGET\r\n$8\r\n");
  private static final byte[] SET = ascii("*3\r\n$3\r\nSET\r\n$8\r\n");
  private static final byte[] END = ascii("\r\n");

  private final SocketChannel channel;
  private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final byte[] line = new byte[LINE_BYTES_MAX];

  RespConnection(int port) throws IOException {
    this.channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    in.flip();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Gathers a read of a key of 8 bytes. */
  void get(long key) throws IOException {
    room(GET.length + Long.BYTES + END.length);
    out.put(GET).putLong(key).put(END);
  }

  /** Gathers a write. */
  void set(long key, byte[] value) throws IOException {
    byte[] length = ascii("$" + value.length + "\r\n");
    room(SET.length + Long.BYTES + 2 * END.length + length.length + value.length);
    out.put(SET).putLong(key).put(END).put(length).put(value).put(END);
  }

  /** Gathers any command, as words with spaces between them. */
  void command(String words) throws IOException {
    byte[] inline = ascii(words + "\r\n");
    room(inline.length);
    out.put(inline);
  }

  private void room(int bytes) throws IOException {
    if (out.remaining() < bytes) {
      flush();
    }
    if (out.remaining() < bytes) {
      throw new IOException("A command of " + bytes + " bytes is too long; take smaller values");
    }
  }

  /** Sends what was gathered. */
  void flush() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
    out.clear();
  }

  /**
   * Reads a reply.
   *
   * @return its text: of a line without its sign, of a value its length only; null for no value
   * @throws IOException also if it is an error
   */
  String reply() throws IOException {
    byte sign = next();
    String text = line();
    switch (sign) {
      case '+', ':' -> {
        return text;
      }
      case '$' -> {
        int length = Integer.parseInt(text);
        if (length < 0) {
          return null;
        }
        skip(length + END.length);
        return text;
      }
      default -> throw new IOException("Redis says " + text);
    }
  }

  /**
   * Reads a reply to a command that reads or writes one key.
   *
   * @return whether it has found a value, or written it
   */
  boolean isReplyGood() throws IOException {
    byte sign = next();
    if (sign == '+') {
      skipLine();
      return true;
    }
    if (sign != '$') {
      throw new IOException("Redis says " + line());
    }
    int length = 0;
    byte digit = next();
    if (digit == '-') {
      skipLine();
      return false;
    }
    for (; digit != '\r'; digit = next()) {
      length = length * 10 + digit - '0';
    }
    // The line's end, the value and its end.
    skip(1 + length + END.length);
    return true;
  }

  /** Reads a reply that is a text of many lines. */
  String text() throws IOException {
    byte sign = next();
    String length = line();
    if (sign != '$') {
      throw new IOException("Redis says " + length);
    }
    byte[] text = new byte[Integer.parseInt(length)];
    for (int i = 0; i < text.length; i++) {
      text[i] = next();
    }
    skip(END.length);
    return new String(text, StandardCharsets.UTF_8);
  }

  private String line() throws IOException {
    int length = 0;
    for (byte each = next(); each != '\r'; each = next()) {
      if (length == LINE_BYTES_MAX) {
        throw new IOException("Redis has sent a line that is too long");
      }
      line[length++] = each;
    }
    next();
    return new String(line, 0, length, StandardCharsets.UTF_8);
  }

  private void skipLine() throws IOException {
    byte each = next();
    while (each != '\n') {
      each = next();
    }
  }

  private void skip(int bytes) throws IOException {
    int left = bytes;
    while (left > in.remaining()) {
      left -= in.remaining();
      in.position(in.limit());
      fill();
    }
    in.position(in.position() + left);
  }

  private byte next() throws IOException {
    if (!in.hasRemaining()) {
      fill();
    }
    return in.get();
  }

  private void fill() throws IOException {
    in.clear();
    int count = channel.read(in);
    in.flip();
    if (count < 0) {
      throw new EOFException("Redis has closed the connection");
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
