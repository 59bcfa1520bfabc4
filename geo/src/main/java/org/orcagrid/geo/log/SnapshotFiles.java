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
package org.orcagrid.geo.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.orcagrid.ddp.durable.segment.DurableFiles;

/**
 * Snapshots of a node's partitions, in files that one thread writes and reads. A file has its name
 * when all of it is durable. Any thread may call.
 */
public final class SnapshotFiles implements AutoCloseable {
  private static final String NAME = "snapshot-";
  private static final String PART = ".part";
  private static final long END_SECONDS_MAX = 10;

  private final Path folder;
  private final ExecutorService thread;
  private final Consumer<Throwable> failures;

  /** Where a snapshot is put together. */
  public enum Source {
    /** This node's own. */
    OWN("own-"),
    /** One that comes from the leader. */
    RECEIVED("received-");

    private final String prefix;

    Source(String prefix) {
      this.prefix = prefix;
    }
  }

  /**
   * Files in a folder.
   *
   * @param failures takes the exception of a request that failed; its callback never runs
   */
  public SnapshotFiles(Path folder, ThreadFactory threads, Consumer<Throwable> failures)
      throws IOException {
    this.folder = folder;
    this.failures = failures;
    DurableFiles.makeFolder(folder.toAbsolutePath());
    this.thread = Executors.newSingleThreadExecutor(threads);
  }

  private Path of(int partition) {
    return folder.resolve("partition-" + partition);
  }

  /** Where a snapshot is, if it is there. */
  public Path file(int partition, long index) {
    return of(partition).resolve(NAME + index);
  }

  private Path part(int partition, Source source, long index) {
    return of(partition).resolve(source.prefix + index + PART);
  }

  /**
   * Reads a whole snapshot, before the node runs.
   *
   * @throws IOException if there is none, or it cannot be read
   */
  public byte[] load(int partition, long index) throws IOException {
    Path file = file(partition, index);
    if (!Files.exists(file)) {
      throw new IOException(
          file
              + " is missing, and the journal goes on from there: bring it back, or give this node"
              + " an empty folder, which it fills from the others");
    }
    return Files.readAllBytes(file);
  }

  /** Reads a whole snapshot for the one who asks; null if there is none. */
  public void load(int partition, long index, Consumer<byte[]> then) {
    run(
        () -> {
          Path file = file(partition, index);
          then.accept(Files.exists(file) ? Files.readAllBytes(file) : null);
        });
  }

  /**
   * Writes a piece behind those before; at offset 0 it begins anew. With the last piece the
   * snapshot has its name, and all of it is durable, when {@code then} runs.
   */
  public void write(int partition, Source source, SnapshotPiece piece, Runnable then) {
    run(
        () -> {
          Path part = part(partition, source, piece.index());
          if (piece.offset() == 0) {
            DurableFiles.makeFolder(of(partition).toAbsolutePath());
            removeParts(partition, source);
          }
          try (FileChannel channel =
              FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (channel.size() != piece.offset()) {
              throw new IOException(
                  part + " has " + channel.size() + " bytes before the piece at " + piece.offset());
            }
            ByteBuffer left = ByteBuffer.wrap(piece.bytes());
            while (left.hasRemaining()) {
              channel.write(left, piece.offset() + left.position());
            }
            if (piece.isLast()) {
              channel.force(true);
            }
          }
          if (piece.isLast()) {
            Files.move(
                part,
                file(partition, piece.index()),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
            DurableFiles.sync(of(partition));
          }
          then.run();
        });
  }

  /** What was begun before is not wanted any more. */
  private void removeParts(int partition, Source source) throws IOException {
    for (Path each : files(partition)) {
      String name = each.getFileName().toString();
      if (name.startsWith(source.prefix) && name.endsWith(PART)) {
        Files.delete(each);
      }
    }
  }

  private List<Path> files(int partition) throws IOException {
    try (Stream<Path> files = Files.list(of(partition))) {
      return files.toList();
    }
  }

  /** A piece of a snapshot, and whether it is the last. */
  @FunctionalInterface
  public interface Piece {
    /** It was read. */
    void accept(byte[] bytes, boolean isLast);
  }

  /** Reads a piece; nothing happens if there is no such snapshot any more. */
  public void read(int partition, long index, long offset, int bytesMax, Piece then) {
    run(
        () -> {
          Path file = file(partition, index);
          if (!Files.exists(file)) {
            return;
          }
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            ByteBuffer piece =
                ByteBuffer.allocate((int) Math.max(0, Math.min(bytesMax, size - offset)));
            int read = 0;
            while (read >= 0 && piece.hasRemaining()) {
              read = channel.read(piece, offset + piece.position());
            }
            then.accept(piece.array(), offset + piece.capacity() >= size);
          }
        });
  }

  /** Removes older snapshots than one. */
  public void removeBefore(int partition, long index) {
    run(
        () -> {
          for (Path each : files(partition)) {
            String name = each.getFileName().toString();
            if (name.startsWith(NAME) && Long.parseLong(name.substring(NAME.length())) < index) {
              Files.delete(each);
            }
          }
        });
  }

  /** Work that may fail. */
  private interface Work {
    void run() throws IOException;
  }

  private void run(Work work) {
    try {
      thread.execute(
          () -> {
            try {
              work.run();
            } catch (IOException | RuntimeException | Error e) {
              failures.accept(e);
            }
          });
    } catch (RejectedExecutionException e) {
      // The node ends; nobody waits any more.
      if (!thread.isShutdown()) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
