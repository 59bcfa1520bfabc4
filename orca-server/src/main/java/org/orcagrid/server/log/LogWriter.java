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

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.Adler32;
import org.apache.zookeeper.server.persistence.FilePadding;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.Util;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes transactions into log files through a buffer, and knows where the last one ends. The
 * caller's monitor guards it.
 */
final class LogWriter {

  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

  /** What a transaction takes beside its content. */
  static final int RECORD_OVERHEAD_BYTES = LogFileReader.PREFIX_BYTES + 1;

  private static final int BUFFER_BYTES = 256 * 1024;

  /**
   * How far the file is filled with zeros ahead of the records. Written zeros, unlike the hole that
   * the stock log leaves, make a force a plain overwrite: the file system has nothing to put in its
   * journal for it, which takes half of the processor time of a force (measured on ext4).
   */
  private static final int FILL_BYTES = 256 * 1024;

  /** Room kept after the last record, as in the stock log, so that its reader finds a zero. */
  private static final int PADDING_MARGIN_BYTES = 4096;

  private final File logDir;
  private final LogStorage storage;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer zeros = ByteBuffer.allocateDirect(FILL_BYTES).asReadOnlyBuffer();
  private final Adler32 checksum = new Adler32();

  private LogStorage.LogFile current;
  private long position;
  private long paddedTo;

  /** The last transaction; it stays when its file is ended. */
  private long lastLog = -1;

  private long lastStart;
  private long lastEnd;
  private long lastZxid;
  private long lastChecksum;
  private long firstChecksum;

  LogWriter(File logDir, LogStorage storage) {
    this.logDir = logDir;
    this.storage = storage;
  }

  /** The open file; null if there is none. */
  LogStorage.LogFile current() {
    return current;
  }

  /** The bytes of the open file. */
  long size() {
    return current == null ? 0 : position + buffer.position();
  }

  /** Where the last transaction ends, for when it is on disk; null if none was put. */
  DurableMark end() {
    return lastLog < 0
        ? null
        : new DurableMark(lastLog, lastStart, lastEnd, lastZxid, lastChecksum, firstChecksum);
  }

  /** Nothing is written into the open file any more; its buffer is drained. */
  void leave() {
    current = null;
  }

  /** Begins the file whose first transaction is {@code zxid}. */
  void begin(long zxid) throws IOException {
    Path file = logDir.toPath().resolve(Util.makeLogName(zxid));
    LOG.info("Creating new log file: {}", file.getFileName());
    current = storage.create(file);
    lastLog = zxid;
    buffer.clear();
    buffer.putInt(FileTxnLog.TXNLOG_MAGIC).putInt(FileTxnLog.VERSION).putLong(0);
    buffer.flip();
    position = buffer.remaining();
    paddedTo = position;
    lastEnd = 0;
    // At once and before the padding: the stock reader deletes a last file that is empty, and
    // refuses one that begins with zeros.
    current.write(buffer, 0);
    buffer.clear();
  }

  void put(long zxid, byte[] record) throws IOException {
    checksum.reset();
    checksum.update(record, 0, record.length);
    if (buffer.remaining() < record.length + RECORD_OVERHEAD_BYTES) {
      drain();
    }
    lastStart = size();
    lastZxid = zxid;
    lastChecksum = checksum.getValue();
    if (lastEnd == 0) {
      firstChecksum = lastChecksum;
    }
    buffer.putLong(lastChecksum).putInt(record.length);
    if (buffer.remaining() < record.length + 1) {
      drain();
      pad(record.length);
      current.write(ByteBuffer.wrap(record), position);
      position += record.length;
    } else {
      buffer.put(record);
    }
    buffer.put(LogFileReader.END_OF_RECORD);
    lastEnd = size();
  }

  /** Hands what is buffered to the operating system. */
  void drain() throws IOException {
    if (buffer.position() == 0 || current == null) {
      return;
    }
    pad(buffer.position());
    buffer.flip();
    int length = buffer.remaining();
    current.write(buffer, position);
    position += length;
    buffer.clear();
  }

  /** Fills the file with zeros ahead of the records, so that a force has no blocks to allocate. */
  private void pad(long length) throws IOException {
    // The operator's switch and bound, of the stock log; it is in bytes here.
    long step = Math.min(FilePadding.getPreAllocSize(), FILL_BYTES);
    long end = position + length + PADDING_MARGIN_BYTES;
    if (step <= 0 || end < paddedTo) {
      return;
    }
    while (paddedTo <= end) {
      long fillTo = (paddedTo / step + 1) * step;
      zeros.position(0).limit((int) (fillTo - paddedTo));
      current.write(zeros, paddedTo);
      paddedTo = fillTo;
    }
  }
}
