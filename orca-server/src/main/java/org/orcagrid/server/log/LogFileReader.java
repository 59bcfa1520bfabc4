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
package org.orcagrid.server.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.Adler32;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.util.ZxidUtils;

/** Looks for transactions at any position of a log file. For one thread. */
final class LogFileReader implements Closeable {

  static final int HEADER_BYTES = 2 * Integer.BYTES + Long.BYTES;

  /** A transaction's checksum and length. */
  static final int PREFIX_BYTES = Long.BYTES + Integer.BYTES;

  /** Client, number of its request, zxid, time and type: every transaction begins with them. */
  static final int CONTENT_BYTES_MIN = Long.BYTES + Integer.BYTES + 2 * Long.BYTES + Integer.BYTES;

  static final byte END_OF_RECORD = 0x42;

  private static final int ZXID_AT = Long.BYTES + Integer.BYTES;
  private static final int RECORD_BYTES_MIN = PREFIX_BYTES + CONTENT_BYTES_MIN + 1;
  private static final int WINDOW_BYTES = 256 * 1024;

  private final Path file;
  private final FileChannel channel;
  private final long length;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private final Adler32 adler = new Adler32();
  private long windowStart;

  LogFileReader(Path file) throws IOException {
    this.file = file;
    this.channel = FileChannel.open(file, StandardOpenOption.READ);
    this.length = channel.size();
  }

  long length() {
    return length;
  }

  /** Whether the file begins as a log does. */
  boolean hasHeader() throws IOException {
    return length >= HEADER_BYTES && bytes(0, HEADER_BYTES).getInt() == FileTxnLog.TXNLOG_MAGIC;
  }

  /** The whole transaction that begins at {@code position}; null if there is none. */
  LogRecord recordAt(long position) throws IOException {
    if (position + RECORD_BYTES_MIN > length) {
      return null;
    }
    ByteBuffer prefix = bytes(position, PREFIX_BYTES);
    long checksum = prefix.getLong();
    int size = prefix.getInt();
    long end = position + PREFIX_BYTES + size + 1;
    if (checksum >>> Integer.SIZE != 0 || size < CONTENT_BYTES_MIN || end > length) {
      return null;
    }
    ByteBuffer content = bytes(position + PREFIX_BYTES, size + 1);
    if (content.get(content.position() + size) != END_OF_RECORD
        || checksumOf(content, size) != checksum) {
      return null;
    }
    ByteBuffer start = bytes(position + PREFIX_BYTES, CONTENT_BYTES_MIN);
    return new LogRecord(position, end, start.getLong(start.position() + ZXID_AT), checksum);
  }

  /** The checksum of so many bytes. */
  long checksum(long position, int size) throws IOException {
    return checksumOf(bytes(position, size), size);
  }

  private long checksumOf(ByteBuffer content, int size) {
    adler.reset();
    adler.update(content.slice(content.position(), size));
    return adler.getValue();
  }

  /**
   * The first whole transaction from {@code from} on that can belong behind {@code earlier}; null
   * if there is none.
   *
   * <p>Data can hold the copy of a log. A transaction of a copy counts only if its number is one
   * that this log can have reached there: it takes 45 bytes at least to go on by one.
   */
  LogRecord nextRecord(long from, long earlier, long earlierEnd) throws IOException {
    long epoch = ZxidUtils.getEpochFromZxid(earlier);
    for (long at = from; at + RECORD_BYTES_MIN <= length; at++) {
      ByteBuffer bytes = bytes(at, RECORD_BYTES_MIN);
      int start = bytes.position();
      if (bytes.getInt(start) != 0) {
        continue;
      }
      int size = bytes.getInt(start + Long.BYTES);
      if (size < CONTENT_BYTES_MIN || at + PREFIX_BYTES + size + 1 > length) {
        continue;
      }
      long zxid = bytes.getLong(start + PREFIX_BYTES + ZXID_AT);
      long steps = (at - earlierEnd) / RECORD_BYTES_MIN + 1;
      boolean later =
          ZxidUtils.getEpochFromZxid(zxid) == epoch
              ? zxid > earlier && zxid - earlier <= steps
              : zxid > earlier && ZxidUtils.getCounterFromZxid(zxid) <= steps;
      LogRecord found = later ? recordAt(at) : null;
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Whether the file holds nothing but zeros from {@code from} to {@code to} or its end. */
  boolean isZero(long from, long to) throws IOException {
    long end = Math.min(to, length);
    for (long at = from; at < end; ) {
      int size = (int) Math.min(WINDOW_BYTES, end - at);
      ByteBuffer bytes = bytes(at, size);
      bytes.limit(bytes.position() + size);
      while (bytes.remaining() >= Long.BYTES) {
        if (bytes.getLong() != 0) {
          return false;
        }
      }
      while (bytes.hasRemaining()) {
        if (bytes.get() != 0) {
          return false;
        }
      }
      at += size;
    }
    return true;
  }

  /**
   * So many bytes of the file, from the position of what is returned; valid until the next call.
   */
  ByteBuffer bytes(long position, int size) throws IOException {
    if (position >= windowStart && position + size <= windowStart + window.limit()) {
      return window.duplicate().position((int) (position - windowStart));
    }
    if (size > WINDOW_BYTES) {
      return fill(ByteBuffer.allocate(size), position).flip();
    }
    window.clear().limit((int) Math.min(WINDOW_BYTES, length - position));
    windowStart = position;
    fill(window, position).flip();
    return window.duplicate();
  }

  private ByteBuffer fill(ByteBuffer bytes, long position) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, position + bytes.position()) < 0) {
        throw new IOException(file + " became shorter while it was read");
      }
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
