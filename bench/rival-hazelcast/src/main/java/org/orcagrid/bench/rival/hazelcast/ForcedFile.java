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
package org.orcagrid.bench.rival.hazelcast;

import com.hazelcast.map.MapStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The store behind a map as its users write one: what the member owns is appended to a file, which
 * is forced before {@link #store} returns. Threads that store at the same time share a force.
 *
 * <p>Nothing is read back: a comparison never misses a key, and never restarts.
 */
final class ForcedFile implements MapStore<Long, byte[]> {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;

  private final FileChannel file;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition forced = lock.newCondition();

  // Under the lock.

  private ByteBuffer gathering = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private ByteBuffer spare = ByteBuffer.allocateDirect(BUFFER_BYTES);

  /** Bytes that were taken, and bytes that are durable. */
  private long taken;

  private long durable;
  private boolean forcing;
  private IOException failure;

  ForcedFile(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  @Override
  public void store(Long key, byte[] value) {
    append(key, value);
  }

  @Override
  public void delete(Long key) {
    append(key, new byte[0]);
  }

  @Override
  public void storeAll(Map<Long, byte[]> entries) {
    entries.forEach(this::append);
  }

  @Override
  public void deleteAll(Collection<Long> keys) {
    keys.forEach(this::delete);
  }

  private void append(long key, byte[] value) {
    long position = take(key, value);
    while (true) {
      ByteBuffer mine;
      long end;
      lock.lock();
      try {
        while (forcing && durable < position && failure == null) {
          forced.awaitUninterruptibly();
        }
        if (failure != null) {
          throw new UncheckedIOException(failure);
        }
        if (durable >= position) {
          return;
        }
        forcing = true;
        mine = gathering;
        gathering = spare;
        end = taken;
      } finally {
        lock.unlock();
      }
      force(mine.flip(), end);
    }
  }

  private long take(long key, byte[] value) {
    lock.lock();
    try {
      while (gathering.remaining() < HEADER_BYTES + value.length) {
        forced.awaitUninterruptibly();
      }
      gathering.putLong(key).putInt(value.length).put(value);
      taken += HEADER_BYTES + value.length;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private void force(ByteBuffer bytes, long end) {
    IOException problem = null;
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(false);
    } catch (IOException e) {
      problem = e;
    }
    lock.lock();
    try {
      spare = bytes.clear();
      forcing = false;
      durable = problem == null ? end : durable;
      failure = problem;
      forced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public byte[] load(Long key) {
    return null;
  }

  @Override
  public Map<Long, byte[]> loadAll(Collection<Long> keys) {
    return Map.of();
  }

  @Override
  public Iterable<Long> loadAllKeys() {
    return null;
  }
}
