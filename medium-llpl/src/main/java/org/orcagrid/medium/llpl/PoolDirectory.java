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
package org.orcagrid.medium.llpl;

import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.MemoryBlock;
import com.intel.pmem.llpl.Transaction;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The named blocks of a pool. The pool's root is the head, which leads to the first entry; each
 * entry to its block and to the next entry. All little-endian:
 *
 * <pre>
 * head    0 long ORCAPOOL   8 int version   16 long first entry
 * entry   0 long next   8 long block   16 int bytes   20 int bytes of the name   24 name
 * </pre>
 *
 * <p>What a transaction changes is there as a whole after a crash, or not at all; libpmemobj rolls
 * back what was not committed when the pool is opened.
 */
final class PoolDirectory {
  /** The letters ORCAPOOL as they lie in memory. */
  private static final long MAGIC = 0x4c4f_4f50_4143_524fL;

  private static final int VERSION = 1;
  private static final int HEAD_BYTES = 24;
  private static final int ENTRY_BYTES = 128;
  private static final int NAME_AT = 24;

  private final Heap heap;
  private final MemoryBlock head;
  private final Map<String, MemoryBlock> entries = new TreeMap<>();

  private PoolDirectory(Heap heap, MemoryBlock head) {
    this.heap = heap;
    this.head = head;
  }

  /** Makes the directory of a pool that has none. */
  static void make(Heap heap) {
    Transaction.create(
        heap,
        () -> {
          MemoryBlock head = heap.allocateMemoryBlock(HEAD_BYTES, true);
          head.setLong(0, MAGIC);
          head.setInt(8, VERSION);
          head.flush(0, HEAD_BYTES);
          heap.setRoot(head.handle());
        });
  }

  /**
   * Reads the directory of a pool.
   *
   * @throws HeapException if the pool has another content
   */
  static PoolDirectory of(Heap heap) throws IOException {
    if (heap.getRoot() == 0) {
      throw new HeapException("It has no directory");
    }
    MemoryBlock head = heap.memoryBlockFromHandle(heap.getRoot());
    if (head.getLong(0) != MAGIC || head.getInt(8) != VERSION) {
      throw new HeapException("Its directory is of another program or version");
    }
    PoolDirectory directory = new PoolDirectory(heap, head);
    for (long each = head.getLong(16); each != 0; ) {
      MemoryBlock entry = heap.memoryBlockFromHandle(each);
      directory.entries.put(name(entry), entry);
      each = entry.getLong(0);
    }
    return directory;
  }

  private static String name(MemoryBlock entry) {
    int length = entry.getInt(20);
    if (length < 0 || length > ENTRY_BYTES - NAME_AT) {
      throw new HeapException("An entry of its directory is damaged");
    }
    byte[] name = new byte[length];
    entry.copyToArray(NAME_AT, name, 0, length);
    return new String(name, StandardCharsets.US_ASCII);
  }

  List<String> names() {
    return new ArrayList<>(entries.keySet());
  }

  PoolFile open(String name) throws IOException {
    MemoryBlock entry = entries.get(name);
    if (entry == null) {
      throw new FileNotFoundException("There is no " + name + " in the pool");
    }
    return new PoolFile(heap.memoryBlockFromHandle(entry.getLong(8)), entry.getInt(16));
  }

  /** A block of zeros under a name; a block that has the length already stays as it is. */
  PoolFile allocate(String name, int bytes) throws IOException {
    MemoryBlock entry = entries.get(name);
    if (entry == null) {
      entries.put(name, Transaction.create(heap, () -> add(name, bytes)));
    } else if (entry.getInt(16) != bytes) {
      Transaction.create(heap, () -> replace(entry, bytes));
    }
    return open(name);
  }

  private MemoryBlock add(String name, int bytes) {
    byte[] letters = name.getBytes(StandardCharsets.US_ASCII);
    MemoryBlock block = heap.allocateMemoryBlock(bytes, true);
    MemoryBlock entry = heap.allocateMemoryBlock(ENTRY_BYTES, true);
    entry.setLong(0, head.getLong(16));
    entry.setLong(8, block.handle());
    entry.setInt(16, bytes);
    entry.setInt(20, letters.length);
    entry.copyFromArray(letters, 0, NAME_AT, letters.length);
    entry.flush(0, ENTRY_BYTES);
    head.addToTransaction(16, Long.BYTES);
    head.setLong(16, entry.handle());
    return entry;
  }

  /** A block cannot grow: another one takes its place, with what it has held from the start on. */
  private void replace(MemoryBlock entry, int bytes) {
    MemoryBlock before = heap.memoryBlockFromHandle(entry.getLong(8));
    MemoryBlock block = heap.allocateMemoryBlock(bytes, true);
    int kept = Math.min(bytes, entry.getInt(16));
    block.copyFromMemoryBlock(before, 0, 0, kept);
    block.flush(0, kept);
    entry.addToTransaction(8, 12);
    entry.setLong(8, block.handle());
    entry.setInt(16, bytes);
    before.free(true);
  }
}
