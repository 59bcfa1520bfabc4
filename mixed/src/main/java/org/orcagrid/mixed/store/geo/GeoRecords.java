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

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
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
import org.orcagrid.mixed.store.Encoding;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.causal.Row;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.VectorClock;

/**
 * How the store names its keys, and what their values are. Each key has the datacenter that writes
 * it in its name, and is written nowhere else.
 */
final class GeoRecords {
  private static final int KEY_BYTES_MAX = 512;
  private static final int VALUE_BYTES_MAX = 256 << 10;

  /** With what belongs to a value, and room for the ids of transactions that still come. */
  private static final int ROW_BYTES_MAX = 448 << 10;

  /**
   * A page that has more takes no decision. What is decided by then has room for its record, and
   * clients for the answer that something never will be.
   */
  static final int PAGE_BYTES_DECIDING = 256 << 10;

  /** A page that has more takes nothing new, so that its floors can still be raised. */
  static final int PAGE_BYTES_MAX = 448 << 10;

  private final Encoding encoding;

  GeoRecords(Encoding encoding) {
    this.encoding = encoding;
  }

  Encoding encoding() {
    return encoding;
  }

  /**
   * What a datacenter has written to an object.
   *
   * @throws IllegalTransactionException if the object's key is too long
   */
  static String row(String datacenter, StoredObject object) {
    String key = Encoding.key(object);
    checkKey(object, key);
    return "r/" + datacenter + "/" + key;
  }

  /**
   * Makes sure that an object can be written. What a change makes of it is known only then.
   *
   * @throws IllegalTransactionException if its key or its value is too large
   */
  void requireFits(Part.Write write) {
    checkKey(write.object(), Encoding.key(write.object()));
    int bytes = write.operation() == null ? encoding.value(write.value()).length : 0;
    if (bytes > VALUE_BYTES_MAX) {
      throw new IllegalTransactionException(
          write.object()
              + " would have "
              + bytes
              + " bytes; give it "
              + VALUE_BYTES_MAX
              + " at most, or keep it as several objects");
    }
  }

  private static void checkKey(StoredObject object, String key) {
    int bytes = key.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > KEY_BYTES_MAX) {
      throw new IllegalTransactionException(
          "The key of "
              + object
              + " has "
              + bytes
              + " bytes; give it "
              + KEY_BYTES_MAX
              + " at most");
    }
  }

  /** What a datacenter knows of its pages as a whole. */
  static String state(String datacenter) {
    return "s/" + datacenter;
  }

  // --- objects -----------------------------------------------------------------------------------

  /**
   * What one datacenter has written to an object, with all that it had there before.
   *
   * @param sequence of the write, among those of this datacenter to this object
   * @param counts what it stands on: of each datacenter, how many writes to this object
   * @param ids of transactions that have written here, but for those that were dropped
   * @param dropped where the records of those are that were dropped, as new as to say so
   */
  record Written(
      long sequence,
      VectorClock counts,
      Object value,
      Context context,
      Set<TransactionId> ids,
      VectorClock dropped) {
    static final Written NOTHING =
        new Written(0, VectorClock.NONE, null, Context.NONE, Set.of(), VectorClock.NONE);

    Row row(String datacenter) {
      return new Row(datacenter, sequence, counts, value, context);
    }
  }

  byte[] written(Written written) {
    return encoding.value(
        Arrays.asList(
            written.sequence(),
            written.counts().counts(),
            written.value(),
            encoding.context(written.context()),
            written.ids().stream().map(TransactionId::toString).toList(),
            written.dropped().counts()));
  }

  /** What these bytes say; nothing for null. */
  Written written(byte[] bytes) {
    if (bytes == null) {
      return Written.NOTHING;
    }
    List<?> all = (List<?>) encoding.value(bytes);
    Set<TransactionId> ids = new LinkedHashSet<>();
    ((List<?>) all.get(4)).forEach(each -> ids.add(TransactionId.parse((String) each)));
    return new Written(
        (Long) all.get(0),
        clock(all.get(1)),
        all.get(2),
        encoding.context((byte[]) all.get(3)),
        ids,
        clock(all.get(5)));
  }

  /** Whether an object's value, and its row as a whole, can be stored. */
  boolean fits(Written written) {
    int bytes = written(written).length;
    return bytes <= VALUE_BYTES_MAX
        || (bytes <= ROW_BYTES_MAX && encoding.value(written.value()).length <= VALUE_BYTES_MAX);
  }

  private static VectorClock clock(Object counts) {
    Map<String, Long> all = new HashMap<>();
    ((Map<?, ?>) counts).forEach((log, count) -> all.put((String) log, (Long) count));
    return new VectorClock(all);
  }

  // --- transactions ------------------------------------------------------------------------------

  /** What is recorded of a transaction. */
  static final class Entry {
    /** Nothing yet. */
    static final Entry NONE = new Entry(null, null, null);

    private final String answer;
    private final VectorClock token;
    private final byte[] intent;

    /**
     * One.
     *
     * @param answer what was decided here; null if it is decided elsewhere
     * @param token where its part is, when all of it is written; else null
     * @param intent what is left to do, by the datacenter that has decided; else null
     */
    Entry(String answer, VectorClock token, byte[] intent) {
      this.answer = answer;
      this.token = token;
      this.intent = intent;
    }

    String answer() {
      return answer;
    }

    VectorClock token() {
      return token;
    }

    byte[] intent() {
      return intent;
    }

    Entry taken(VectorClock where, byte[] left) {
      return new Entry(answer, where, left);
    }

    Entry closed() {
      return new Entry(answer, token, null);
    }
  }

  /** Records of some transactions, and up to when they are refused or forgotten. */
  static final class Page {
    private final Map<TransactionId, Entry> entries = new LinkedHashMap<>();
    private final Map<Floor, Long> floors = new EnumMap<>(Floor.class);

    /** Where the parts are whose records were dropped. */
    private VectorClock dropped = VectorClock.NONE;

    private boolean isChanged;
    private int bytes;

    Entry entry(TransactionId id) {
      return entries.getOrDefault(id, Entry.NONE);
    }

    Map<TransactionId, Entry> entries() {
      return entries;
    }

    void put(TransactionId id, Entry entry) {
      entries.put(id, entry);
      isChanged = true;
    }

    boolean isChanged() {
      return isChanged;
    }

    /**
     * Makes sure that there is room for one more transaction.
     *
     * @throws StoreException if the page has more bytes already
     */
    void requireRoom(int bytesMax) throws StoreException {
      if (bytes > bytesMax) {
        throw new StoreException(
            "A page of records has "
                + bytes
                + " bytes, and takes no more transactions above "
                + bytesMax
                + "; run a worker with a retention, or with a shorter one",
            null);
      }
    }

    long floor(Floor floor) {
      return floors.getOrDefault(floor, Long.MIN_VALUE);
    }

    /** Whether a transaction began up to a floor. */
    boolean isBelow(Floor floor, TransactionId id) {
      return id.millis() <= floor(floor);
    }

    /**
     * The token of a transaction's part; null if it is not known to be there. Of one that is
     * forgotten, that of all that are: the log of its rows' partition may come later than this
     * page.
     */
    VectorClock token(TransactionId id) {
      VectorClock token = entry(id).token();
      return token == null && isBelow(Floor.PARTS, id) ? dropped : token;
    }

    /** Where the parts are whose records were dropped. */
    VectorClock dropped() {
      return dropped;
    }

    /**
     * Raises a floor. Records are dropped with the last one: by then all datacenters say that they
     * have their parts, so no reader waits for one that does not.
     */
    void raise(Floor floor, long millis) {
      if (millis <= floor(floor)) {
        return;
      }
      floors.put(floor, millis);
      isChanged = true;
      if (floor == Floor.DECISIONS) {
        drop();
      }
    }

    private void drop() {
      for (TransactionId each : List.copyOf(entries.keySet())) {
        Entry entry = entries.get(each);
        boolean isDecided = entry.answer() != null && !isBelow(Floor.DECISIONS, each);
        boolean isTaken = entry.token() != null && !isBelow(Floor.PARTS, each);
        if (!isDecided && !isTaken && entry.intent() == null) {
          if (entry.token() != null) {
            dropped = dropped.join(entry.token());
          }
          entries.remove(each);
        }
      }
    }
  }

  /** Times up to which something is over. */
  enum Floor {
    /** Nothing that began up to then is decided any more. */
    REFUSED,
    /** Parts of what began up to then are there. */
    PARTS,
    /** What was decided of that is forgotten, and the records are dropped. */
    DECISIONS
  }

  byte[] page(Page page) {
    Map<String, Long> floors = new LinkedHashMap<>();
    page.floors.forEach((floor, millis) -> floors.put(floor.name(), millis));
    Map<String, Object> entries = new LinkedHashMap<>();
    page.entries.forEach(
        (id, entry) ->
            entries.put(
                id.toString(),
                Arrays.asList(
                    entry.answer(),
                    entry.token() == null ? null : entry.token().counts(),
                    entry.intent())));
    return encoding.value(List.of(floors, entries, page.dropped.counts()));
  }

  /** The page with these bytes; an empty one for null. */
  Page page(byte[] bytes) {
    Page page = new Page();
    if (bytes != null) {
      page.bytes = bytes.length;
      List<?> all = (List<?>) encoding.value(bytes);
      ((Map<?, ?>) all.get(0))
          .forEach(
              (floor, millis) -> page.floors.put(Floor.valueOf((String) floor), (Long) millis));
      ((Map<?, ?>) all.get(1))
          .forEach(
              (id, entry) -> {
                List<?> its = (List<?>) entry;
                page.entries.put(
                    TransactionId.parse((String) id),
                    new Entry(
                        (String) its.get(0),
                        its.get(1) == null ? null : clock(its.get(1)),
                        (byte[]) its.get(2)));
              });
      page.dropped = clock(all.get(2));
    }
    return page;
  }
}
