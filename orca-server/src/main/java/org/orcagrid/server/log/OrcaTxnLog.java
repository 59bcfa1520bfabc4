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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerMetrics;
import org.apache.zookeeper.server.ServerStats;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog;
import org.apache.zookeeper.txn.TxnHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction log, in the files of ZooKeeper's own log, with appending and forcing apart.
 *
 * <p>{@link #append} and {@link #writeOut} hold the lock for as long as they copy bytes; {@link
 * #commit} takes what is there under the lock and forces it outside, so that writes go on, and
 * other forces start, while the disk works. Unlike the stock log it forces the directory after a
 * file was created: without that a power cut can take the whole file, acknowledged or not.
 *
 * <p>A failed write or force is final: the operating system may have dropped the pages, so no later
 * success could be believed. Every call after it fails, and the server stops.
 *
 * <p>Safe for use by many threads.
 */
public final class OrcaTxnLog implements TxnLog {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaTxnLog.class);

  private final File logDir;
  private final LogStorage storage;
  private final LogWriter writer;
  private final DurableMarkFile marks;
  private final ReadWriteLock forceLock = new ReentrantReadWriteLock();
  private final List<LogStorage.LogFile> rolled = new ArrayList<>();

  private final long slowForceMillis = Long.getLong("zookeeper.fsync.warningthresholdms", 1000);

  /** How many files were created, and how many of their names are on disk. */
  private long filesCreated;

  private long filesNamed;
  private long lastAppended = -1;
  private long bytesAppended;
  private long totalOfEarlierFiles;

  /** How far the log is on disk; null if nothing was forced. */
  private DurableMark forced;

  private IOException failure;
  private final IOException unexpected = new IOException("The log failed unexpectedly");
  private ServerStats serverStats;

  private volatile long persisted = -1;
  private volatile long bytesPersisted;
  private volatile long syncMillis = -1;

  /** A log in {@code logDir}; a new file is begun with the first append. */
  public OrcaTxnLog(File logDir, LogStorage storage) {
    this(logDir, storage, new DurableMarkFile(logDir, storage));
  }

  /** The same, and tells {@code marks} how far it was forced. */
  OrcaTxnLog(File logDir, LogStorage storage, DurableMarkFile marks) {
    this.logDir = logDir;
    this.storage = storage;
    this.writer = new LogWriter(logDir, storage);
    this.marks = marks;
  }

  /**
   * Appends the request's transaction to the buffer.
   *
   * @return false if the request is not a transaction
   */
  @Override
  public synchronized boolean append(Request request) throws IOException {
    TxnHeader header = request.getHdr();
    if (header == null) {
      return false;
    }
    failIfFailed();
    long zxid = header.getZxid();
    if (zxid <= lastAppended) {
      LOG.warn(
          "Appending 0x{} behind 0x{}", Long.toHexString(zxid), Long.toHexString(lastAppended));
    }
    byte[] record = request.getSerializeData();
    if (record == null || record.length == 0) {
      throw new IOException("The transaction 0x" + Long.toHexString(zxid) + " has no content");
    }
    try {
      if (writer.current() == null) {
        writer.begin(zxid);
        marks.begin();
        filesCreated++;
      }
      writer.put(zxid, record);
    } catch (IOException | RuntimeException | Error e) {
      throw failed(e);
    }
    lastAppended = Math.max(lastAppended, zxid);
    bytesAppended += record.length + LogWriter.RECORD_OVERHEAD_BYTES;
    return true;
  }

  /** Hands what is buffered to the operating system: it survives this process, not a power cut. */
  public synchronized void writeOut() throws IOException {
    failIfFailed();
    try {
      writer.drain();
    } catch (IOException | RuntimeException | Error e) {
      throw failed(e);
    }
  }

  /**
   * Returns once everything that was appended before the call is on disk.
   *
   * <p>Concurrent calls force the open file side by side; one that ends a file or enters a new one
   * into the directory runs alone.
   */
  @Override
  public void commit() throws IOException {
    if (!commitOpenFile()) {
      commitAlone();
    }
  }

  /** Forces the open file; returns whether that is all there is to force. */
  private boolean commitOpenFile() throws IOException {
    forceLock.readLock().lock();
    try {
      Extent extent;
      synchronized (this) {
        writeOut();
        if (!rolled.isEmpty() || filesNamed < filesCreated) {
          return false;
        }
        extent = extent(List.of());
      }
      commit(extent);
      return true;
    } finally {
      forceLock.readLock().unlock();
    }
  }

  private void commitAlone() throws IOException {
    forceLock.writeLock().lock();
    try {
      Extent extent;
      synchronized (this) {
        writeOut();
        extent = extent(List.copyOf(rolled));
      }
      commit(extent);
    } finally {
      forceLock.writeLock().unlock();
    }
  }

  /** What one commit is to force. */
  private record Extent(
      List<LogStorage.LogFile> complete,
      LogStorage.LogFile open,
      long upTo,
      long bytes,
      long files,
      DurableMark end) {}

  private Extent extent(List<LogStorage.LogFile> complete) {
    return new Extent(
        complete, writer.current(), lastAppended, bytesAppended, filesCreated, writer.end());
  }

  private void commit(Extent extent) throws IOException {
    boolean directory = filesToName(extent) > 0;
    if (extent.bytes == bytesPersisted && extent.complete.isEmpty() && !directory) {
      return;
    }
    force(extent.complete, extent.open, directory);
    synchronized (this) {
      // A force beside this one may have found that the disk lost something.
      failIfFailed();
      rolled.removeAll(extent.complete);
      filesNamed = Math.max(filesNamed, extent.files);
      persisted = Math.max(persisted, extent.upTo);
      if (extent.bytes > bytesPersisted) {
        bytesPersisted = extent.bytes;
        forced = extent.end;
      }
    }
    marks.onForced(extent.end);
  }

  private synchronized long filesToName(Extent extent) {
    return extent.files - filesNamed;
  }

  private void force(List<LogStorage.LogFile> complete, LogStorage.LogFile open, boolean directory)
      throws IOException {
    long start = System.nanoTime();
    try {
      for (LogStorage.LogFile file : complete) {
        file.force();
        file.close();
      }
      if (open != null) {
        open.force();
      }
      if (directory) {
        storage.forceDirectory(logDir.toPath());
      }
    } catch (IOException | RuntimeException | Error e) {
      throw failed(e);
    }
    syncMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    ServerMetrics.getMetrics().FSYNC_TIME.add(syncMillis);
    if (syncMillis > slowForceMillis) {
      LOG.warn("Forcing the log in {} took {} ms", logDir, syncMillis);
      ServerStats stats = serverStats;
      if (stats != null) {
        stats.incrementFsyncThresholdExceedCount();
      }
    }
  }

  /** The last transaction that is known to be on disk; -1 if none was appended here. */
  public long persisted() {
    return persisted;
  }

  /** The last transaction that was appended; -1 if none was. */
  public synchronized long lastAppended() {
    return lastAppended;
  }

  /** Bytes that were ever appended here. */
  public synchronized long bytesAppended() {
    return bytesAppended;
  }

  /** Bytes that were appended and are not known to be on disk. */
  public synchronized long undurableBytes() {
    return bytesAppended - bytesPersisted;
  }

  /**
   * Ends the open file, which is on disk by then: no power cut may leave the next file without the
   * end of this one. The disk works while others append to the file and force it.
   */
  @Override
  public void rollLog() throws IOException {
    forceLock.readLock().lock();
    try {
      LogStorage.LogFile ending;
      DurableMark end;
      long covered;
      long files;
      boolean named;
      synchronized (this) {
        if (writer.current() == null) {
          return;
        }
        writeOut();
        ending = writer.current();
        covered = bytesAppended;
        files = filesCreated;
        named = filesNamed == files;
      }
      force(ending);
      if (!named) {
        // No power cut may leave the next file's name alone, either.
        forceDirectory();
      }
      synchronized (this) {
        // A force beside this one may have found that the disk lost something.
        failIfFailed();
        filesNamed = Math.max(filesNamed, files);
        if (writer.current() != ending) {
          return;
        }
        if (bytesAppended > covered) {
          writeOut();
          force(ending);
        }
        totalOfEarlierFiles += writer.size();
        rolled.add(ending);
        end = writer.end();
        writer.leave();
      }
      marks.onEnded(end);
    } finally {
      forceLock.readLock().unlock();
    }
  }

  private void forceDirectory() throws IOException {
    try {
      storage.forceDirectory(logDir.toPath());
    } catch (IOException | RuntimeException | Error e) {
      throw failed(e);
    }
  }

  private void force(LogStorage.LogFile file) throws IOException {
    try {
      file.force();
    } catch (IOException | RuntimeException | Error e) {
      throw failed(e);
    }
  }

  /** Closes the files; what was not committed stays where the operating system has it. */
  @Override
  public void close() throws IOException {
    forceLock.writeLock().lock();
    try {
      closeFiles();
    } finally {
      forceLock.writeLock().unlock();
    }
  }

  private synchronized void closeFiles() throws IOException {
    try {
      if (failure == null) {
        writer.drain();
      }
    } finally {
      try {
        marks.close(failure == null ? forced : null);
        forced = null;
      } finally {
        closeLogs();
      }
    }
  }

  private void closeLogs() throws IOException {
    for (LogStorage.LogFile file : rolled) {
      file.close();
    }
    rolled.clear();
    LogStorage.LogFile open = writer.current();
    writer.leave();
    if (open != null) {
      open.close();
    }
  }

  @Override
  public TxnIterator read(long zxid) throws IOException {
    writeOut();
    return new FileTxnLog.FileTxnIterator(logDir, zxid);
  }

  @Override
  public long getLastLoggedZxid() throws IOException {
    writeOut();
    try (FileTxnLog reader = new FileTxnLog(logDir)) {
      return reader.getLastLoggedZxid();
    }
  }

  @Override
  public boolean truncate(long zxid) throws IOException {
    throw new UnsupportedOperationException(
        "A log is truncated while it is closed; see OrcaTxnSnapLog.truncateLog");
  }

  @Override
  public long getDbId() throws IOException {
    try (FileTxnLog reader = new FileTxnLog(logDir)) {
      return reader.getDbId();
    }
  }

  @Override
  public long getTxnLogSyncElapsedTime() {
    return syncMillis;
  }

  @Override
  public synchronized void setServerStats(ServerStats stats) {
    this.serverStats = stats;
  }

  @Override
  public synchronized void setTotalLogSize(long size) {
    totalOfEarlierFiles = size;
  }

  @Override
  public synchronized long getTotalLogSize() {
    return totalOfEarlierFiles + writer.size();
  }

  /** The bytes of the file that is being written. */
  public synchronized long getCurrentLogSize() {
    return writer.size();
  }

  /** The write or force that failed and ended this log; null while it is well. */
  public synchronized IOException failure() {
    return failure;
  }

  /** Fails if an earlier write or force has failed. */
  synchronized void failIfFailed() throws IOException {
    if (failure != null) {
      throw new IOException(
          "The log in "
              + logDir
              + " failed earlier ("
              + failure.getMessage()
              + "); restart the server once the disk works",
          failure);
    }
  }

  /** An {@link Error} is a failure as any other: nobody knows what was written or forced. */
  private synchronized IOException failed(Throwable reason) {
    // First what needs no memory: there may be none.
    failure = reason instanceof IOException e ? e : unexpected;
    if (failure == unexpected) {
      failure = new IOException("The log failed unexpectedly: " + reason, reason);
    }
    return failure;
  }
}
