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
package org.orcagrid.mixed.store.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Causal;
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
import org.orcagrid.mixed.store.causal.Row;
import org.orcagrid.mixed.store.causal.Rows;
import org.orcagrid.mixed.track.VectorClock;

/**
 * One PostgreSQL instance of a causally consistent store (MyriaStore, section 6.1). Each object has
 * a row for each instance that has written it last without knowing of the others; readers get them
 * merged. What an instance commits is numbered, and handed to the others by {@link
 * PostgresReplicator}. The paper has BDR for that, which keeps no causal order among three.
 */
public final class PostgresCausalStore implements Store {
  private static final String AGAIN = "AGAIN";
  private static final int TIMES_MAX = 50;
  private static final int TIMEOUT_SECONDS = 5;

  private final Traits traits;
  private final Set<String> groups;
  private final Encoding encoding;
  private final Sql sql;

  /**
   * Opens an instance, and makes its tables and functions where they are missing.
   *
   * @param name of the store
   * @param group of this instance, and of no other one
   * @param groups of all instances
   * @param source whose connections are {@code READ COMMITTED} by default
   * @throws StoreException if the database cannot be asked, or is another group's
   */
  public PostgresCausalStore(
      String name,
      String group,
      Set<String> groups,
      DataSource source,
      Operations operations,
      Merge merge)
      throws StoreException {
    this.traits = new Traits(name, Causal.class, group, Role.FOLLOWS, merge);
    this.groups = Set.copyOf(groups);
    this.encoding = new Encoding(operations);
    this.sql = new Sql(name + " at " + group, source, TIMEOUT_SECONDS);
    for (String each : groups) {
      if (!each.matches("[A-Za-z0-9_.@-]+")) {
        throw new StoreException(
            "A group is called " + each + "; use letters, digits, and _ . @ -", null);
      }
    }
    sql.checkSettings();
    sql.script("causal.sql");
    String kept =
        sql.call(
            "SELECT orca_begin(?, ?)",
            statement -> {
              statement.setString(1, group);
              statement.setArray(2, Sql.texts(statement, this.groups));
              try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
              }
            });
    if (!group.equals(kept)) {
      throw new StoreException(
          "The database of " + traits + " is that of the group " + kept + "; use another one",
          null);
    }
  }

  @Override
  public Traits traits() {
    return traits;
  }

  // --- reading -----------------------------------------------------------------------------------

  /** What one statement has found. */
  private final class Reading {
    final Map<String, List<Row>> rows = new HashMap<>();
    final Map<String, Long> counts = new HashMap<>();
    final Map<String, VectorClock> peers = new HashMap<>();
    final Map<TransactionId, VectorClock> markers = new HashMap<>();
    long forgotten = Long.MAX_VALUE;

    void add(ResultSet row) throws SQLException {
      switch (row.getString(1)) {
        case "row" ->
            rows.merge(
                row.getString(2),
                List.of(
                    new Row(
                        row.getString(3),
                        row.getLong(4),
                        ClockText.clock(row.getString(5)),
                        encoding.value(row.getBytes(6)),
                        encoding.context(row.getBytes(7)))),
                Reading::both);
        case "count" -> counts.put(row.getString(3), row.getLong(4));
        case "peer" -> {
          if (!row.getString(3).equals(traits.group())) {
            peers.put(row.getString(3), ClockText.clock(row.getString(5)));
          }
          forgotten = Math.min(forgotten, row.getLong(4));
        }
        default ->
            markers.put(TransactionId.parse(row.getString(2)), ClockText.clock(row.getString(5)));
      }
    }

    private static List<Row> both(List<Row> some, List<Row> more) {
      List<Row> all = new ArrayList<>(some);
      all.addAll(more);
      return all;
    }

    VectorClock clock() {
      return ClockText.positive(counts);
    }

    VectorClock everywhere() {
      return peers.values().stream().reduce(clock(), VectorClock::meet);
    }

    Found found(StoredObject object) {
      return Rows.merged(rows.getOrDefault(Encoding.key(object), List.of()), traits.merge());
    }
  }

  private Reading reading(Set<String> keys, Set<TransactionId> markers) throws StoreException {
    return sql.call(
        "SELECT 'row', key, grp, sequence, clock::text, value, context FROM orca_rows"
            + " WHERE key = ANY (?)"
            + " UNION ALL SELECT 'count', NULL, grp, count, NULL, NULL, NULL FROM orca_counts"
            + " UNION ALL SELECT 'peer', NULL, grp, floor, clock::text, NULL, NULL FROM orca_peers"
            + " UNION ALL SELECT 'part', id, NULL, NULL, clock::text, NULL, NULL FROM orca_parts"
            + " WHERE id = ANY (?)",
        statement -> {
          statement.setArray(1, Sql.texts(statement, keys));
          statement.setArray(2, Sql.texts(statement, Sql.texts(markers)));
          Reading reading = new Reading();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              reading.add(rows);
            }
          }
          return reading;
        });
  }

  @Override
  public Snapshot read(Set<StoredObject> objects, Set<TransactionId> markers)
      throws StoreException {
    Set<String> keys = new java.util.HashSet<>();
    objects.forEach(each -> keys.add(Encoding.key(each)));
    Reading reading = reading(keys, markers);
    Map<StoredObject, Found> found = new HashMap<>();
    objects.forEach(each -> found.put(each, reading.found(each)));
    Map<TransactionId, VectorClock> there = new HashMap<>(reading.markers);
    markers.stream()
        .filter(each -> each.millis() <= reading.forgotten)
        .forEach(each -> there.putIfAbsent(each, VectorClock.NONE));
    return new Snapshot(found, reading.clock(), reading.everywhere(), there);
  }

  // --- writing -----------------------------------------------------------------------------------

  @Override
  public Reply apply(TransactionId id, Part part) throws StoreException {
    return take(id, part, null);
  }

  @Override
  public Reply decide(TransactionId id, Part part, Intent intent) throws StoreException {
    return take(id, part, intent);
  }

  /** Commits a part, and does again what is done to objects that have changed since it was done. */
  private Reply take(TransactionId id, Part part, Intent intent) throws StoreException {
    for (int times = 0; times < TIMES_MAX; times++) {
      Reply reply = takeOnce(id, part, intent);
      if (reply != null) {
        return reply;
      }
    }
    throw new StoreException(
        traits + " has changed " + TIMES_MAX + " times while it was written", null);
  }

  private Reply takeOnce(TransactionId id, Part part, Intent intent) throws StoreException {
    Map<String, Found> written = new LinkedHashMap<>();
    Map<String, List<Row>> seen = new HashMap<>();
    Set<String> done = new java.util.HashSet<>();
    Set<String> set = new java.util.HashSet<>();
    for (Part.Write each : part.writes()) {
      String key = Encoding.key(each.object());
      if (each.operation() == null) {
        set.add(key);
      } else if (!set.contains(key)) {
        done.add(key);
      }
    }
    if (!done.isEmpty()) {
      Reading reading = reading(done, Set.of());
      done.forEach(key -> seen.put(key, reading.rows.getOrDefault(key, List.of())));
    }
    for (Part.Write each : part.writes()) {
      String key = Encoding.key(each.object());
      Found present =
          written.containsKey(key)
              ? written.get(key)
              : Rows.merged(seen.getOrDefault(key, List.of()), traits.merge());
      written.put(key, Rows.after(present, each, encoding));
    }
    return sql.call(
        "SELECT answer, clock::text"
            + " FROM orca_take_part(?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?)",
        statement -> taken(statement, id, part, intent, written, seen));
  }

  /** Null if what was seen has changed. */
  private Reply taken(
      PreparedStatement statement,
      TransactionId id,
      Part part,
      Intent intent,
      Map<String, Found> written,
      Map<String, List<Row>> seen)
      throws SQLException {
    statement.setString(1, id.toString());
    statement.setLong(2, id.millis());
    statement.setBoolean(3, intent != null);
    boolean keeps = intent != null && !intent.isEmpty();
    statement.setBytes(4, keeps ? encoding.intent(intent) : null);
    boolean waits = part.after() != null;
    statement.setString(5, waits ? ClockText.text(part.after().past()) : "{}");
    statement.setArray(
        6, Sql.texts(statement, waits ? Sql.texts(part.after().pending()) : List.of()));
    List<String> versions = new ArrayList<>();
    seen.forEach(
        (key, rows) ->
            rows.forEach(row -> versions.add(row.group() + ":" + row.sequence() + ":" + key)));
    statement.setArray(7, Sql.texts(statement, seen.keySet()));
    statement.setArray(8, Sql.texts(statement, versions));
    List<byte[]> values = new ArrayList<>();
    List<byte[]> contexts = new ArrayList<>();
    written
        .values()
        .forEach(
            each -> {
              values.add(encoding.value(each.value()));
              contexts.add(encoding.context(each.context()));
            });
    statement.setArray(9, Sql.texts(statement, written.keySet()));
    statement.setArray(10, Sql.bytes(statement, values));
    statement.setArray(11, Sql.bytes(statement, contexts));
    statement.setString(12, traits.group());
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new SQLException("The database has returned nothing");
      }
      String answer = row.getString(1);
      return answer.equals(AGAIN)
          ? null
          : new Reply(Answer.valueOf(answer), ClockText.clock(row.getString(2)), Map.of());
    }
  }

  @Override
  public Reply fence(TransactionId id) throws StoreException {
    return sql.call(
        "SELECT answer, clock::text FROM orca_fence(?, ?)",
        statement -> {
          statement.setString(1, id.toString());
          statement.setLong(2, id.millis());
          try (ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
              throw new SQLException("The database has returned nothing");
            }
            return new Reply(
                Answer.valueOf(row.getString(1)), ClockText.clock(row.getString(2)), Map.of());
          }
        });
  }

  @Override
  public void close(Set<TransactionId> ids) throws StoreException {
    sql.close("orca_decisions", ids);
  }

  // --- other instances ---------------------------------------------------------------------------

  /** What an instance has committed at once, as bytes. */
  record Batch(
      long sequence,
      String clock,
      String id,
      long millis,
      long floor,
      Object keys,
      Object values,
      Object contexts) {}

  /** Batches of this instance that come after one. */
  List<Batch> after(long sequence, int most) throws StoreException {
    return sql.call(
        "SELECT sequence, clock::text, id, millis, floor, keys, vals, contexts FROM orca_batches"
            + " WHERE sequence > ? ORDER BY sequence LIMIT ?",
        statement -> {
          statement.setLong(1, sequence);
          statement.setInt(2, most);
          List<Batch> all = new ArrayList<>();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              all.add(
                  new Batch(
                      rows.getLong(1),
                      rows.getString(2),
                      rows.getString(3),
                      rows.getLong(4),
                      rows.getLong(5),
                      rows.getArray(6).getArray(),
                      rows.getArray(7).getArray(),
                      rows.getArray(8).getArray()));
            }
          }
          return all;
        });
  }

  /** What it has. */
  VectorClock clock() throws StoreException {
    return reading(Set.of(), Set.of()).clock();
  }

  /** Takes another instance's batch, or has it; false if something is missing that comes first. */
  boolean take(String group, Batch batch) throws StoreException {
    return sql.call(
        "SELECT orca_take_batch(?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?)",
        statement -> {
          statement.setString(1, group);
          statement.setLong(2, batch.sequence());
          statement.setString(3, batch.clock());
          statement.setString(4, batch.id());
          statement.setLong(5, batch.millis());
          statement.setLong(6, batch.floor());
          statement.setArray(7, array(statement, "text", batch.keys()));
          statement.setArray(8, array(statement, "bytea", batch.values()));
          statement.setArray(9, array(statement, "bytea", batch.contexts()));
          try (ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
          }
        });
  }

  private static java.sql.Array array(PreparedStatement statement, String type, Object elements)
      throws SQLException {
    return statement.getConnection().createArrayOf(type, (Object[]) elements);
  }

  /** Another instance has this much. */
  void onClock(String group, VectorClock its) throws StoreException {
    sql.call(
        "SELECT orca_peer(?, ?::jsonb, ?)",
        statement -> {
          statement.setString(1, group);
          statement.setString(2, ClockText.text(its));
          statement.setString(3, traits.group());
          return statement.execute();
        });
  }

  // --- for workers -------------------------------------------------------------------------------

  @Override
  public List<Intent> intents(long millis) throws StoreException {
    return sql.call(
        "SELECT intent FROM orca_decisions WHERE intent IS NOT NULL AND millis < ?"
            + " ORDER BY millis LIMIT 1000",
        statement -> {
          statement.setLong(1, millis);
          List<Intent> all = new ArrayList<>();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              encoding.readableIntent(rows.getBytes(1), traits).ifPresent(all::add);
            }
          }
          return all;
        });
  }

  @Override
  public boolean isDone(long millis) throws StoreException {
    return sql.isDone("orca_decisions", millis);
  }

  @Override
  public void refuse(long millis) throws StoreException {
    sql.refuse(millis);
  }

  /** Others forget the ids when they have all batches from before. */
  @Override
  public void forgetParts(long millis) throws StoreException {
    sql.call(
        "SELECT orca_forget_parts(?, ?)",
        statement -> {
          statement.setString(1, traits.group());
          statement.setLong(2, millis);
          return statement.execute();
        });
  }

  @Override
  public void forget(long millis) throws StoreException {
    sql.call(
        "UPDATE orca_floors SET millis = greatest(millis, ?) WHERE name = 'forgotten'",
        statement -> {
          statement.setLong(1, millis);
          return statement.executeUpdate();
        });
    sql.call(
        "DELETE FROM orca_decisions WHERE millis <= ? AND intent IS NULL",
        statement -> {
          statement.setLong(1, millis);
          return statement.executeUpdate();
        });
  }

  @Override
  public void close() {
    // The pool is the caller's.
  }
}
