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
package org.orcagrid.mixed.store.geo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.causal.Row;
import org.orcagrid.mixed.store.causal.Rows;
import org.orcagrid.mixed.store.geo.GeoKeys.Cell;
import org.orcagrid.mixed.store.geo.GeoRecords.Written;
import org.orcagrid.mixed.track.VectorClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects: a key for each datacenter that has written to one. Each is written on condition, with
 * the ids of the transactions that are in it, so that none is in it twice.
 */
final class GeoObjects {
  private static final Logger LOG = LoggerFactory.getLogger(GeoObjects.class);
  private static final int ATTEMPTS_MAX = 1_000;

  private static final int IDS_MAX = 1_000;

  private final GeoKeys keys;
  private final GeoRecords records;
  private final GeoPages pages;
  private final Merge merge;
  private final GeoStore.Trial trial;

  GeoObjects(GeoKeys keys, GeoRecords records, GeoPages pages, Merge merge, GeoStore.Trial trial) {
    this.keys = keys;
    this.records = records;
    this.pages = pages;
    this.merge = merge;
    this.trial = trial;
  }

  // --- reading -----------------------------------------------------------------------------------

  /** Some objects, and what all replicas have of that and of what was seen. */
  record Several(Map<StoredObject, Found> found, VectorClock everywhere) {}

  /** Reads objects, at least as new as what was seen. */
  Several read(Collection<StoredObject> objects, VectorClock seen) throws StoreException {
    GeoKeys.Look look = keys.read(rows(objects), seen);
    Map<StoredObject, Found> found = new HashMap<>();
    objects.forEach(each -> found.put(each, found(each, look)));
    return new Several(found, look.everywhere());
  }

  private Set<String> rows(Collection<StoredObject> objects) {
    Set<String> all = new LinkedHashSet<>();
    for (String each : keys.datacenters()) {
      objects.forEach(object -> all.add(GeoRecords.row(each, object)));
    }
    return all;
  }

  /** What there is of an object in all datacenters' keys, with where they were written. */
  private Found found(StoredObject object, GeoKeys.Look look) {
    List<Row> rows = List.of();
    VectorClock where = VectorClock.NONE;
    for (String each : keys.datacenters()) {
      Cell cell = look.cell(GeoRecords.row(each, object));
      if (cell.value() != null) {
        rows = Rows.with(rows, records.written(cell.value()).row(each));
        where = where.join(cell.clock());
      }
    }
    Found merged = Rows.merged(rows, merge);
    return new Found(merged.value(), 0, where, merged.context());
  }

  // --- writing -----------------------------------------------------------------------------------

  /**
   * Writes all that a part does, each object once, whoever has done some of it before.
   *
   * @param after what the part's writes come behind
   * @return where it is written; null if the transaction's record says by now that it is
   */
  VectorClock write(TransactionId id, List<Part.Write> writes, VectorClock after)
      throws StoreException {
    Map<StoredObject, List<Part.Write>> byObject = new LinkedHashMap<>();
    writes.forEach(
        each -> byObject.computeIfAbsent(each.object(), none -> new ArrayList<>()).add(each));
    VectorClock where = VectorClock.NONE;
    for (Map.Entry<StoredObject, List<Part.Write>> each : byObject.entrySet()) {
      if (!isKey(each.getKey())) {
        continue;
      }
      VectorClock its = write(id, each.getKey(), each.getValue(), after);
      if (its == null) {
        return null;
      }
      where = where.join(its);
    }
    return where;
  }

  /** It is decided: what cannot be stored is left out, as a change that fails. */
  private boolean isKey(StoredObject object) {
    try {
      return !GeoRecords.row(keys.datacenter(), object).isEmpty();
    } catch (IllegalTransactionException e) {
      LOG.warn("{} cannot be stored", object, e);
      return false;
    }
  }

  private VectorClock write(
      TransactionId id, StoredObject object, List<Part.Write> writes, VectorClock after)
      throws StoreException {
    String key = GeoRecords.row(keys.datacenter(), object);
    VectorClock seen = after;
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      GeoKeys.Look look = keys.read(rows(List.of(object)), seen);
      Cell cell = look.cell(key);
      Written mine = records.written(cell.value());
      if (mine.ids().contains(id) && trial.rules().contains(GeoStoreRule.OBJECTS_KEEP_IDS)) {
        return cell.clock();
      }
      if (isDropped(id, mine)) {
        return null;
      }
      Written next = next(id, object, writes, mine, look);
      GeoKeys.Written written = keys.write(key, records.written(next), cell);
      if (written.isDone()) {
        return written.clock();
      }
      seen = seen.join(written.clock());
    }
    throw new StoreException(object + " changes all the time", null);
  }

  /** Whether the id may be missing as it was dropped: then its record says that all is written. */
  private boolean isDropped(TransactionId id, Written mine) throws StoreException {
    return !mine.dropped().equals(VectorClock.NONE)
        && trial.rules().contains(GeoStoreRule.DROPPED_IDS_ARE_RECORDED)
        && pages.page(id, mine.dropped()).token(id) != null;
  }

  private Written next(
      TransactionId id,
      StoredObject object,
      List<Part.Write> writes,
      Written mine,
      GeoKeys.Look look)
      throws StoreException {
    List<Row> rows = List.of();
    VectorClock counts = VectorClock.NONE;
    for (String each : keys.datacenters()) {
      Cell cell = look.cell(GeoRecords.row(each, object));
      if (cell.value() != null) {
        Written its = records.written(cell.value());
        rows = Rows.with(rows, its.row(each));
        counts = counts.join(its.counts());
      }
    }
    Found found = Rows.merged(rows, merge);
    for (Part.Write each : writes) {
      found = Rows.after(found, each, records.encoding());
    }
    Set<TransactionId> ids = new LinkedHashSet<>(mine.ids());
    VectorClock dropped = mine.dropped();
    if (ids.size() >= trial.idsKept()) {
      GeoPages.Dropped some = pages.taken(ids);
      ids.removeAll(some.ids());
      dropped = dropped.join(some.where());
    }
    if (ids.size() >= IDS_MAX) {
      throw new StoreException(
          object + " waits for " + ids.size() + " transactions to be finished; run a worker", null);
    }
    ids.add(id);
    long sequence = mine.sequence() + 1;
    Written next =
        new Written(
            sequence,
            counts.join(VectorClock.of(keys.datacenter(), sequence)),
            found.value(),
            found.context(),
            ids,
            dropped);
    if (records.fits(next)) {
      return next;
    }
    LOG.warn("{} would be too large after {}; it stays as it is", object, id);
    return new Written(mine.sequence(), mine.counts(), mine.value(), mine.context(), ids, dropped);
  }
}
