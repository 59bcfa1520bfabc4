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
package org.orcagrid.geo.replica;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.WorkerStore;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Version;

/**
 * The winning version of each key of a partition, outside the heap. The paper's version chain has
 * no readers but of its last version (Algorithm 2, line 3), so the others are not kept.
 *
 * <p>A {@link Listing} has the versions as of the moment when it began, while the store goes on: a
 * version that it has not come to is handed to it before another one takes its place.
 */
final class VersionStore {
  // Words of a record.
  private static final int POSITION = 0;
  private static final int LISTED = 1;
  private static final int WORDS = 2;

  private static final int LOOKED_AT_MAX = 64;

  private final WorkerStore store;
  private final boolean latestWins;
  private final boolean breaksTies;
  private final boolean keepsListed;

  /** The last listing, and how many there were. */
  private Listing listing;

  private long listings;

  VersionStore(Set<GeoRule> rules, DirectMemory direct) {
    this.store = new WorkerStore(WORDS, direct);
    this.latestWins = rules.contains(GeoRule.LATEST_WINS);
    this.breaksTies = rules.contains(GeoRule.TIES_BY_DATACENTER);
    this.keepsListed = rules.contains(GeoRule.SNAPSHOT_IS_ONE_STATE);
  }

  int size() {
    return store.size();
  }

  int deletions() {
    return store.removals();
  }

  Found get(byte[] key) {
    long record = store.find(key, KeyHash.hash(key));
    return record == WorkerStore.NONE
        ? Found.NOTHING
        : new Found(version(record), store.value(record));
  }

  Version version(byte[] key) {
    long record = store.find(key, KeyHash.hash(key));
    return record == WorkerStore.NONE ? Version.NONE : version(record);
  }

  private Version version(long record) {
    return new Version(store.clock(record), store.kind(record), store.word(record, POSITION));
  }

  private StoredVersion stored(long record) {
    return new StoredVersion(store.key(record), store.value(record), version(record));
  }

  /** Puts a version if it wins; whether it does. */
  boolean put(byte[] key, byte[] value, Version version) {
    long hash = KeyHash.hash(key);
    long record = store.find(key, hash);
    if (record == WorkerStore.NONE) {
      record = store.create(key, hash, value == null ? 0 : value.length);
      if (listing != null) {
        store.word(record, LISTED, listings);
      }
    } else if (!wins(version, record)) {
      return false;
    } else {
      beforeChange(record);
    }
    store.set(record, version.time(), version.datacenter(), value);
    store.word(record, POSITION, version.position());
    return true;
  }

  private boolean wins(Version version, long record) {
    Version present = version(record);
    if (!latestWins) {
      return true;
    }
    return breaksTies ? version.wins(present) : version.time() >= present.time();
  }

  private void beforeChange(long record) {
    if (listing != null && store.word(record, LISTED) != listings) {
      store.word(record, LISTED, listings);
      if (keepsListed) {
        listing.ahead.add(stored(record));
      }
    }
  }

  /** Forgets deletions up to positions of their datacenters; how many. */
  int purge(PositionVector upTo) {
    List<Long> purged = new ArrayList<>();
    for (long record = store.firstRemoval();
        record != WorkerStore.NONE;
        record = store.nextRemoval(record)) {
      if (store.word(record, POSITION) <= upTo.at(store.kind(record))) {
        purged.add(record);
      }
    }
    for (long record : purged) {
      beforeChange(record);
      store.remove(record);
    }
    return purged.size();
  }

  /** Forgets all deletions: what a careless store does. */
  void purgeAll() {
    while (store.firstRemoval() != WorkerStore.NONE) {
      beforeChange(store.firstRemoval());
      store.remove(store.firstRemoval());
    }
  }

  /** Whether some deletion may be forgotten; of many, it looks at others each time. */
  boolean mayPurge(PositionVector upTo) {
    for (int left = Math.min(LOOKED_AT_MAX, store.removals()); left > 0; left--) {
      long first = store.firstRemoval();
      if (store.word(first, POSITION) <= upTo.at(store.kind(first))) {
        return true;
      }
      store.putLast(first);
    }
    return false;
  }

  void clear() {
    WorkerStore.Cursor all = store.cursor();
    List<Long> records = new ArrayList<>();
    for (long record = all.next(); record != WorkerStore.NONE; record = all.next()) {
      records.add(record);
    }
    records.forEach(store::remove);
    listing = null;
  }

  /** A sum over all versions that does not depend on their order. */
  long digest() {
    long[] sum = new long[1];
    forEach(each -> sum[0] += hash(each));
    return sum[0];
  }

  void forEach(Consumer<StoredVersion> what) {
    Supplier<StoredVersion> all = all();
    for (StoredVersion each = all.get(); each != null; each = all.get()) {
      what.accept(each);
    }
  }

  /** One after the other, then null. */
  Supplier<StoredVersion> all() {
    WorkerStore.Cursor all = store.cursor();
    return () -> {
      long record = all.next();
      return record == WorkerStore.NONE ? null : stored(record);
    };
  }

  private static long hash(StoredVersion each) {
    long hash = KeyHash.hash(each.key()) * 31 + Arrays.hashCode(each.value());
    hash = hash * 31 + each.version().time();
    hash = hash * 31 + each.version().datacenter();
    hash ^= hash >>> 29;
    return hash * 0x9E3779B97F4A7C15L;
  }

  /** Begins a listing of all versions as they are now; the one before ends. */
  Listing list() {
    listings++;
    listing = new Listing();
    return listing;
  }

  /** All versions as of one moment. */
  final class Listing {
    private final long number = listings;
    private final WorkerStore.Cursor all = store.cursor();
    private final Queue<StoredVersion> ahead = new ArrayDeque<>();

    /** The next version, null behind the last. */
    StoredVersion next() {
      if (!ahead.isEmpty()) {
        return ahead.poll();
      }
      for (long record = all.next(); record != WorkerStore.NONE; record = all.next()) {
        if (store.word(record, LISTED) != number) {
          store.word(record, LISTED, number);
          return stored(record);
        }
      }
      end();
      return null;
    }

    /** Whether another one has begun since. */
    boolean isOver() {
      return listing != this;
    }

    /** No more is wanted. */
    void end() {
      if (listing == this) {
        listing = null;
      }
    }
  }
}
