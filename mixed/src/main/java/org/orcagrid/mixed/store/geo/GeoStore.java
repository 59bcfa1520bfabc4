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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Session;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Encoding;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Role;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.store.geo.GeoKeys.BehindException;
import org.orcagrid.mixed.store.geo.GeoRecords.Entry;
import org.orcagrid.mixed.store.geo.GeoRecords.Floor;
import org.orcagrid.mixed.store.geo.GeoRecords.Page;
import org.orcagrid.mixed.track.Tombstone;
import org.orcagrid.mixed.track.VectorClock;

/**
 * A store on the geo store, which promises {@link Session}: a client sees its own writes, and
 * nothing older than what it has seen. Each datacenter is a group: what a client writes is
 * committed at its own datacenter, also while others are cut off, and readers merge what several
 * have written.
 *
 * <p>A part is taken object by object, each once, and then recorded with its token: the positions
 * in the datacenters' logs. <em>So some objects of a transaction may be read before others are
 * written</em>, by clients that know nothing of it. Whoever has met the transaction in another
 * store waits until it is recorded, and reads what is as new as its token.
 *
 * <p>A transaction that this store decides has 64 KB at most, and an object 256 KB. All that writes
 * to the view of the geo store's keys with this store's name has to be such a store.
 */
public final class GeoStore implements Store {
  private static final int DECIDED_BYTES_MAX = 64 << 10;

  private final Traits traits;
  private final GeoRecords records;
  private final GeoPages pages;
  private final GeoObjects objects;
  private final Set<GeoStoreRule> rules;

  /**
   * A store in the view of this name, at the client's home datacenter.
   *
   * @param name of the store, the same in all datacenters
   * @param geo which stays the caller's
   */
  public GeoStore(String name, RemoteGeo geo, Operations operations, Merge merge) {
    this(name, new RemoteGeoKeys(geo, name), operations, merge, Trial.NONE);
  }

  /**
   * What is other than usual in tests.
   *
   * @param rules that it stands on
   * @param pages how many there are
   * @param idsKept with so many an object looks which ids it can drop
   */
  public record Trial(Set<GeoStoreRule> rules, GeoPages.Shape pages, int idsKept) {
    /** Nothing. */
    public static final Trial NONE = new Trial(GeoStoreRule.all(), GeoPages.Shape.USUAL, 16);
  }

  /** One on other keys, or with a rule missing, for tests. */
  public GeoStore(String name, GeoKeys keys, Operations operations, Merge merge, Trial trial) {
    String group = name + "@" + keys.datacenter();
    this.traits = new Traits(name, Session.class, group, Role.FOLLOWS, merge);
    this.records = new GeoRecords(new Encoding(operations));
    this.pages = new GeoPages(keys, records, trial.pages());
    this.objects = new GeoObjects(keys, records, pages, merge, trial);
    this.rules = trial.rules();
  }

  @Override
  public Traits traits() {
    return traits;
  }

  // --- reading -----------------------------------------------------------------------------------

  @Override
  public Snapshot read(Set<StoredObject> asked, Set<TransactionId> markers) throws StoreException {
    return read(asked, markers, VectorClock.NONE);
  }

  /** Nothing that is read is older than what was seen, or than the tokens of what is there. */
  @Override
  public Snapshot read(Set<StoredObject> asked, Set<TransactionId> markers, VectorClock seen)
      throws StoreException {
    Map<TransactionId, VectorClock> there = pages.tokens(markers);
    VectorClock clock = seen;
    for (VectorClock each : there.values()) {
      clock = clock.join(each);
    }
    boolean isAsked = rules.contains(GeoStoreRule.TOKENS_ARE_ASKED_FOR);
    GeoObjects.Several several = objects.read(asked, isAsked ? clock : VectorClock.NONE);
    for (Found each : several.found().values()) {
      clock = clock.join(each.clock());
    }
    return new Snapshot(several.found(), clock, several.everywhere(), there);
  }

  // --- writing -----------------------------------------------------------------------------------

  @Override
  public Reply apply(TransactionId id, Part part) throws StoreException {
    VectorClock token = pages.page(id, VectorClock.NONE).token(id);
    if (token != null) {
      return Reply.taken(token);
    }
    VectorClock after = after(part);
    return after == null ? Reply.of(Answer.CONFLICT) : Reply.taken(take(id, part, after));
  }

  /** What a part's writes come behind; null if it is not there yet. */
  private VectorClock after(Part part) throws StoreException {
    Tombstone after = part.after();
    if (after == null) {
      return VectorClock.NONE;
    }
    Map<TransactionId, VectorClock> tokens = pages.tokens(after.pending());
    if (!tokens.keySet().containsAll(after.pending())) {
      return null;
    }
    VectorClock all = after.past();
    for (VectorClock each : tokens.values()) {
      all = all.join(each);
    }
    try {
      List<StoredObject> written = part.writes().stream().map(Part.Write::object).toList();
      objects.read(written, all);
      return all;
    } catch (BehindException e) {
      return null;
    }
  }

  /** Writes all objects, and then the record; its token. */
  private VectorClock take(TransactionId id, Part part, VectorClock after) throws StoreException {
    if (!rules.contains(GeoStoreRule.RECORDED_WHEN_ALL_IS_WRITTEN)) {
      record(id, VectorClock.NONE);
    }
    VectorClock where = objects.write(id, part.writes(), after);
    return record(id, where == null ? VectorClock.NONE : where);
  }

  /** Records that a part is written, unless it is recorded; the token of the record. */
  private VectorClock record(TransactionId id, VectorClock where) throws StoreException {
    return pages.change(
        id,
        page -> {
          VectorClock before = page.token(id);
          if (before != null) {
            return before;
          }
          Entry entry = page.entry(id);
          if (entry.intent() == null) {
            page.requireRoom(GeoRecords.PAGE_BYTES_MAX);
          }
          page.put(id, entry.taken(where, rest(entry.intent())));
          return where;
        });
  }

  /** What is left of an intent once this datacenter has its own part; null for nothing. */
  private byte[] rest(byte[] intent) {
    if (intent == null) {
      return null;
    }
    Intent whole = records.encoding().intent(intent);
    List<Part> others =
        whole.parts().stream().filter(each -> !each.group().equals(traits.group())).toList();
    Intent rest = new Intent(whole.id(), whole.prepared(), others);
    return rest.isEmpty() ? null : records.encoding().intent(rest);
  }

  // --- deciding ----------------------------------------------------------------------------------

  /** It is decided with the record; the objects follow at once, or a worker writes them. */
  @Override
  public Reply decide(TransactionId id, Part part, Intent intent) throws StoreException {
    List<Part> parts = new ArrayList<>(intent.parts());
    parts.add(part);
    byte[] all = bytes(new Intent(id, intent.prepared(), parts));
    VectorClock after = after(part);
    return whole(
        id,
        pages.change(
            id,
            page -> {
              Reply before = decided(page, id);
              if (before != null) {
                return new Decided(before, page, id);
              }
              if (page.isBelow(Floor.REFUSED, id)) {
                return new Decided(Reply.of(Answer.NEVER), page, id);
              }
              page.requireRoom(GeoRecords.PAGE_BYTES_DECIDING);
              Answer answer = after == null ? Answer.CONFLICT : Answer.DONE;
              page.put(id, new Entry(answer.name(), null, after == null ? null : all));
              return new Decided(Reply.of(answer), page, id);
            }));
  }

  /**
   * What was decided, as a page says it.
   *
   * @param token null if not all of its own part is known to be written
   */
  private record Decided(Reply reply, VectorClock token, Entry entry) {
    Decided(Reply reply, Page page, TransactionId id) {
      this(reply, page.token(id), page.entry(id));
    }
  }

  private byte[] bytes(Intent intent) {
    intent.parts().stream()
        .filter(each -> each.group().equals(traits.group()))
        .forEach(this::requireFits);
    byte[] bytes = records.encoding().intent(intent);
    if (bytes.length > DECIDED_BYTES_MAX) {
      throw new IllegalTransactionException(
          "The transaction has "
              + bytes.length
              + " bytes, and "
              + traits
              + " decides "
              + DECIDED_BYTES_MAX
              + " at most; write less at once");
    }
    return bytes;
  }

  /** Keys have 512 bytes at most, and values that are set 256 KB. */
  @Override
  public void requireFits(Part part) {
    part.writes().forEach(records::requireFits);
  }

  /** What was decided, or that it is forgotten; null if neither. */
  private static Reply decided(Page page, TransactionId id) {
    String answer = page.entry(id).answer();
    if (answer != null) {
      return Reply.of(Answer.valueOf(answer));
    }
    return page.isBelow(Floor.DECISIONS, id) ? Reply.of(Answer.FORGOTTEN) : null;
  }

  /** The answer, with the token if it is done: only then all of its own part is written. */
  private Reply whole(TransactionId id, Decided decided) throws StoreException {
    if (decided.reply().answer() != Answer.DONE) {
      return decided.reply();
    }
    if (decided.token() != null) {
      return Reply.taken(decided.token());
    }
    Intent intent = records.encoding().intent(decided.entry().intent());
    Part mine =
        intent.parts().stream()
            .filter(each -> each.group().equals(traits.group()))
            .findFirst()
            .orElseThrow();
    Reply taken = apply(id, mine);
    if (taken.answer() != Answer.DONE) {
      throw new StoreException(traits + " waits for what comes before " + id, null);
    }
    return taken;
  }

  @Override
  public Reply fence(TransactionId id) throws StoreException {
    return whole(
        id,
        pages.change(
            id,
            page -> {
              Reply before = decided(page, id);
              if (before == null) {
                page.requireRoom(GeoRecords.PAGE_BYTES_MAX);
                page.put(id, new Entry(Answer.NEVER.name(), null, null));
                before = Reply.of(Answer.NEVER);
              }
              boolean isConflict = before.answer() == Answer.CONFLICT;
              return new Decided(isConflict ? Reply.of(Answer.NEVER) : before, page, id);
            }));
  }

  @Override
  public void close(Set<TransactionId> ids) throws StoreException {
    for (TransactionId each : ids) {
      Entry closed =
          pages.change(
              each,
              page -> {
                Entry entry = page.entry(each);
                if (entry.intent() != null && page.token(each) != null) {
                  page.put(each, entry.closed());
                }
                return entry;
              });
      if (closed.intent() != null && closed.token() == null) {
        throw new StoreException(traits + " has not written all of " + each, null);
      }
    }
  }

  // --- for workers -------------------------------------------------------------------------------

  @Override
  public boolean isDone(long millis) throws StoreException {
    return pages.open().keySet().stream().noneMatch(each -> each.millis() <= millis);
  }

  @Override
  public List<Intent> intents(long millis) throws StoreException {
    return pages.open().entrySet().stream()
        .filter(each -> each.getKey().millis() < millis)
        .map(each -> records.encoding().readableIntent(each.getValue(), traits))
        .flatMap(Optional::stream)
        .toList();
  }

  @Override
  public void refuse(long millis) throws StoreException {
    pages.raise(Floor.REFUSED, millis);
  }

  @Override
  public void forgetParts(long millis) throws StoreException {
    pages.raise(Floor.PARTS, millis);
  }

  @Override
  public void forget(long millis) throws StoreException {
    pages.requireParts(millis);
    pages.raise(Floor.DECISIONS, millis);
  }

  @Override
  public void close() {
    // The geo store's client is the caller's.
  }
}
