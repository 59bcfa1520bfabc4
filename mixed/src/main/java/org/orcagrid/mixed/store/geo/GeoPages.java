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

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.geo.GeoKeys.Cell;
import org.orcagrid.mixed.store.geo.GeoRecords.Entry;
import org.orcagrid.mixed.store.geo.GeoRecords.Floor;
import org.orcagrid.mixed.store.geo.GeoRecords.Page;
import org.orcagrid.mixed.track.VectorClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of a datacenter's transactions, in pages that are changed on condition. A page has
 * all transactions of ten seconds, of one shard; after some minutes it is used again. There are
 * always the same ones and none is deleted: so who has looked at one in vain, and writes to it
 * later, finds that it has changed.
 */
public final class GeoPages {
  private static final Logger LOG = LoggerFactory.getLogger(GeoPages.class);
  private static final int ATTEMPTS_MAX = 1_000;

  /** Under which the state keeps where pages were raised. */
  private static final TransactionId RAISED = new TransactionId("raised", Long.MAX_VALUE, 0);

  private final GeoKeys keys;
  private final GeoRecords records;
  private final Shape shape;

  /** Where this one has read pages to change them, or has written them: it reads none older. */
  private VectorClock known = VectorClock.NONE;

  /**
   * How many pages there are.
   *
   * @param slots after so many a page is used again
   * @param shards of a slot
   * @param slotMillis of the transactions in a slot
   */
  public record Shape(int slots, int shards, long slotMillis) {
    /** Such that a page is small, and a worker reads all of them. */
    public static final Shape USUAL = new Shape(16, 8, TimeUnit.SECONDS.toMillis(10));
  }

  GeoPages(GeoKeys keys, GeoRecords records, Shape shape) {
    this.keys = keys;
    this.records = records;
    this.shape = shape;
  }

  private synchronized VectorClock known() {
    return known;
  }

  private synchronized void know(VectorClock clock) {
    known = known.join(clock);
  }

  private static String key(String datacenter, long slot, int shard) {
    return "t/" + datacenter + "/" + slot + "/" + shard;
  }

  private String key(String datacenter, TransactionId id) {
    // The hash of a text is the same in every process.
    int shard = Math.floorMod(id.toString().hashCode(), shape.shards());
    return key(datacenter, slot(id.millis()), shard);
  }

  private long slot(long millis) {
    return Math.floorMod(Math.floorDiv(millis, shape.slotMillis()), (long) shape.slots());
  }

  /** What becomes of a page. */
  interface Change<T> {
    /** The result; the page is written if it was changed. */
    T make(Page page) throws StoreException;
  }

  /** Changes the page of a transaction in this datacenter. */
  <T> T change(TransactionId id, Change<T> change) throws StoreException {
    return change(key(keys.datacenter(), id), change);
  }

  private <T> T change(String key, Change<T> change) throws StoreException {
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      Cell cell = keys.read(List.of(key), known()).cell(key);
      Page page = records.page(cell.value());
      know(cell.clock());
      T result = change.make(page);
      if (!page.isChanged()) {
        return result;
      }
      GeoKeys.Written written = keys.write(key, records.page(page), cell);
      know(written.clock());
      if (written.isDone()) {
        return result;
      }
    }
    throw new StoreException("The records of " + keys.datacenter() + " change all the time", null);
  }

  // --- looking -----------------------------------------------------------------------------------

  /** The page of a transaction in this datacenter, as new as something that was seen. */
  Page page(TransactionId id, VectorClock seen) throws StoreException {
    String key = key(keys.datacenter(), id);
    return records.page(keys.read(List.of(key), seen).cell(key).value());
  }

  /**
   * Tokens of those transactions whose parts are known to be there, in some datacenter. One that is
   * forgotten in all gets what all of them have dropped.
   */
  Map<TransactionId, VectorClock> tokens(Collection<TransactionId> ids) throws StoreException {
    if (ids.isEmpty()) {
      return Map.of();
    }
    Set<String> all = new LinkedHashSet<>();
    for (String each : keys.datacenters()) {
      ids.forEach(id -> all.add(key(each, id)));
    }
    GeoKeys.Look look = keys.read(all, known());
    Map<TransactionId, VectorClock> tokens = new HashMap<>();
    for (TransactionId id : ids) {
      boolean isForgotten = true;
      VectorClock dropped = VectorClock.NONE;
      for (String each : keys.datacenters()) {
        Page page = records.page(look.cell(key(each, id)).value());
        VectorClock token = page.entry(id).token();
        if (token != null) {
          tokens.put(id, token);
        }
        isForgotten &= page.isBelow(Floor.PARTS, id);
        dropped = dropped.join(page.dropped());
      }
      if (isForgotten) {
        tokens.putIfAbsent(id, dropped);
      }
    }
    return tokens;
  }

  /**
   * Those of some transactions whose parts this datacenter has, and where that was read: a later
   * look that is as new finds them, too, or that they are forgotten.
   */
  Dropped taken(Collection<TransactionId> ids) throws StoreException {
    Map<TransactionId, String> all = new LinkedHashMap<>();
    ids.forEach(id -> all.put(id, key(keys.datacenter(), id)));
    GeoKeys.Look look = keys.read(Set.copyOf(all.values()), known());
    Set<TransactionId> taken = new LinkedHashSet<>();
    VectorClock where = VectorClock.NONE;
    for (Map.Entry<TransactionId, String> each : all.entrySet()) {
      Cell cell = look.cell(each.getValue());
      if (records.page(cell.value()).token(each.getKey()) != null) {
        taken.add(each.getKey());
        where = where.join(cell.clock());
      }
    }
    return new Dropped(taken, where);
  }

  /** Ids that nobody needs to keep, with where that is said. */
  record Dropped(Set<TransactionId> ids, VectorClock where) {}

  /** What is open in this datacenter, with the intents' bytes. */
  Map<TransactionId, byte[]> open() throws StoreException {
    Set<String> all = new LinkedHashSet<>();
    for (int slot = 0; slot < shape.slots(); slot++) {
      for (int shard = 0; shard < shape.shards(); shard++) {
        all.add(key(keys.datacenter(), slot, shard));
      }
    }
    Map<TransactionId, byte[]> open = new LinkedHashMap<>();
    for (Cell each : keys.read(all, known()).cells().values()) {
      records
          .page(each.value())
          .entries()
          .forEach(
              (id, entry) -> {
                if (entry.intent() != null) {
                  open.put(id, entry.intent());
                }
              });
    }
    return open;
  }

  // --- forgetting --------------------------------------------------------------------------------

  /**
   * Raises a floor in all pages that may get a transaction from up to a time. Those of earlier
   * times were raised before.
   */
  void raise(Floor floor, long millis) throws StoreException {
    String key = GeoRecords.state(keys.datacenter());
    // Pages that this one has not raised itself are read as new as who has raised them.
    Cell cell = keys.read(List.of(key), known()).cell(key);
    Page state = records.page(cell.value());
    TransactionId last = new TransactionId("", millis, 0);
    if (state.isBelow(floor, last)) {
      know(raised(state));
      return;
    }
    long from = state.floor(floor);
    long to = Math.floorDiv(millis, shape.slotMillis());
    long first =
        from == Long.MIN_VALUE
            ? to - shape.slots() + 1
            : Math.max(Math.floorDiv(from, shape.slotMillis()), to - shape.slots() + 1);
    for (long each = first; each <= to; each++) {
      for (int shard = 0; shard < shape.shards(); shard++) {
        raise(
            key(keys.datacenter(), Math.floorMod(each, (long) shape.slots()), shard),
            floor,
            millis);
      }
    }
    VectorClock now = known();
    VectorClock all =
        change(
            key,
            page -> {
              VectorClock where = now.join(raised(page));
              page.raise(floor, millis);
              page.put(RAISED, new Entry(null, where, null));
              return where;
            });
    know(all);
  }

  /**
   * Makes sure that all datacenters have their parts of what began up to a time, as far as this one
   * knows by now.
   *
   * @throws StoreException if one is not known to
   */
  void requireParts(long millis) throws StoreException {
    List<String> states = keys.datacenters().stream().map(GeoRecords::state).toList();
    GeoKeys.Look look = keys.read(states, known());
    for (String each : keys.datacenters()) {
      Page state = records.page(look.cell(GeoRecords.state(each)).value());
      if (state.floor(Floor.PARTS) < millis) {
        throw new StoreException(
            keys.datacenter()
                + " forgets nothing before it knows that "
                + each
                + " has its parts; a worker with a retention needs a store for each datacenter",
            null);
      }
    }
  }

  private static VectorClock raised(Page state) {
    VectorClock token = state.entry(RAISED).token();
    return token == null ? VectorClock.NONE : token;
  }

  private void raise(String key, Floor floor, long millis) throws StoreException {
    int left =
        change(
            key,
            page -> {
              page.raise(floor, millis);
              return page.entries().size();
            });
    LOG.trace("{} has {} records left", key, left);
  }
}
