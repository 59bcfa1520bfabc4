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
package org.orcagrid.ddp.replica.consistency;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.replica.state.Key;

/**
 * Which keys the active transactions have at a node: a writer is known at all nodes, a reader at
 * its coordinator's, where every writer has to ask.
 */
final class Locks {
  private final Map<Key, Lock> locks = new HashMap<>();

  private static final class Lock {
    /** More than one only where some are decided: nobody asks about those any more. */
    private final Set<Transaction> writers = new LinkedHashSet<>();

    private final Set<Transaction> readers = new LinkedHashSet<>();
  }

  /** Those that have the key in a way that {@code transaction} cannot have it beside. */
  List<Transaction> conflicts(Transaction transaction, Key key, boolean writes) {
    Lock lock = locks.get(key);
    if (lock == null) {
      return List.of();
    }
    List<Transaction> conflicts = new ArrayList<>();
    conflicts.addAll(lock.writers);
    if (writes) {
      conflicts.addAll(lock.readers);
    }
    conflicts.removeIf(other -> other == transaction);
    return conflicts;
  }

  void read(Transaction transaction, Key key) {
    lock(transaction, key).readers.add(transaction);
  }

  void write(Transaction transaction, Key key) {
    lock(transaction, key).writers.add(transaction);
  }

  private Lock lock(Transaction transaction, Key key) {
    transaction.locked().add(key);
    return locks.computeIfAbsent(key, each -> new Lock());
  }

  /** Whether a transaction that writes the key is decided. */
  boolean isDecided(Key key) {
    Lock lock = locks.get(key);
    return lock != null
        && lock.writers.stream().anyMatch(writer -> writer.state() == Transaction.State.DECIDED);
  }

  void release(Transaction transaction) {
    for (Key key : transaction.locked()) {
      Lock lock = locks.get(key);
      if (lock != null) {
        lock.readers.remove(transaction);
        lock.writers.remove(transaction);
        if (lock.writers.isEmpty() && lock.readers.isEmpty()) {
          locks.remove(key);
        }
      }
    }
    transaction.locked().clear();
  }

  /** Two active transactions do not have a key that one of them writes. */
  void checkInvariants() {
    for (Lock lock : locks.values()) {
      List<Transaction> writers =
          lock.writers.stream().filter(each -> each.state() == Transaction.State.ACTIVE).toList();
      Invariant.check(writers.size() <= 1, "one active transaction at most writes a key");
      Invariant.check(
          writers.isEmpty() || lock.readers.stream().allMatch(writers::contains),
          "nobody else reads a key that an active transaction writes");
    }
  }
}
