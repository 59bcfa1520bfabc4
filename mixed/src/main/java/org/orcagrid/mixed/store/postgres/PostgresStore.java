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

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Linearizable;
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
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.VectorClock;

/**
 * A linearizable store on one PostgreSQL primary. A transaction's reads are one statement, and its
 * commit is another one, which locks keys and looks whether versions are still those that were
 * read. So transactions are serializable, other than with {@code SERIALIZABLE}, which makes them
 * fail for what they have to remember beside. An object's value, version and context are one row.
 *
 * <p>Rows of the user's tables are objects, too, if the tables are {@link Mapped}. A commit locks
 * those that it writes or was told, and looks whether other programs have written them meanwhile.
 *
 * <p>It prepares if {@code max_prepared_transactions} allows that, and decides in any case.
 */
public final class PostgresStore implements Store {
  private static final String GID = "orca:";
  private static final String UNDEFINED_OBJECT = "42704";
  private static final int TIMEOUT_SECONDS = 5;

  private final Traits traits;
  private final Encoding encoding;
  private final Sql sql;
  private final MappedTables tables;

  /**
   * Opens a store, and makes its tables and functions where they are missing.
   *
   * @param source whose connections are {@code READ COMMITTED}, as PostgreSQL has it
   * @param operations that transactions have stores do
   * @param mapped tables of the user, whose rows are objects beside those in the store's own table
   * @throws StoreException if the database cannot be asked, its connections are not as they should
   *     be, or a table cannot be mapped
   */
  public PostgresStore(String name, DataSource source, Operations operations, Mapped<?>... mapped)
      throws StoreException {
    this.encoding = new Encoding(operations);
    this.sql = new Sql(name, source, TIMEOUT_SECONDS);
    sql.script("strong.sql");
    sql.checkSettings();
    this.tables = new MappedTables(name, sql, List.of(mapped));
    Role role = preparedMax() > 0 ? Role.PREPARES : Role.DECIDES;
    this.traits = new Traits(name, Linearizable.class, name, role, Merge.standard(), true);
  }

  private int preparedMax() throws StoreException {
    return Integer.parseInt(sql.setting("max_prepared_transactions"));
  }

  private interface Row<T> {
    T of(ResultSet row) throws SQLException;
  }

  private static <T> T first(PreparedStatement statement, Row<T> reading) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new SQLException("The database has returned nothing");
      }
      return reading.of(row);
    }
  }

  @Override
  public Traits traits() {
    return traits;
  }

  // --- reading -----------------------------------------------------------------------------------

  @Override
  public Snapshot read(Set<StoredObject> objects, Set<TransactionId> markers)
      throws StoreException {
    Map<String, StoredObject> byKey = new HashMap<>();
    objects.forEach(each -> byKey.put(Encoding.key(each), each));
    Map<MappedTable, List<StoredObject>> rows = tables.byTable(objects);
    if (objects.size() == 1 && markers.isEmpty() && rows.isEmpty()) {
      return readOne(objects, byKey);
    }
    List<String> own =
        objects.stream().filter(each -> !MappedTables.has(each)).map(Encoding::key).toList();
    StringBuilder all =
        new StringBuilder(
            "SELECT key, value, version, context, NULL::text[]"
                + " FROM orca_objects WHERE key = ANY (?)");
    rows.keySet().forEach(each -> all.append(" UNION ALL ").append(each.select()));
    if (!markers.isEmpty()) {
      all.append(" UNION ALL SELECT id, NULL, NULL, NULL, NULL FROM orca_parted(?)");
    }
    return sql.call(
        all.toString(),
        statement -> {
          int at = 1;
          statement.setArray(at++, Sql.texts(statement, own));
          for (Map.Entry<MappedTable, List<StoredObject>> each : rows.entrySet()) {
            MappedTables.setRows(statement, at, each.getKey(), each.getValue());
            at += 2;
          }
          if (!markers.isEmpty()) {
            statement.setArray(at, Sql.texts(statement, Sql.texts(markers)));
          }
          return snapshot(statement, objects, byKey);
        });
  }

  /** With a plan that the database keeps. */
  private Snapshot readOne(Set<StoredObject> objects, Map<String, StoredObject> byKey)
      throws StoreException {
    return sql.call(
        "SELECT key, value, version, context, NULL FROM orca_objects WHERE key = ?",
        statement -> {
          statement.setString(1, byKey.keySet().iterator().next());
          return snapshot(statement, objects, byKey);
        });
  }

  private Snapshot snapshot(
      PreparedStatement statement, Set<StoredObject> objects, Map<String, StoredObject> byKey)
      throws SQLException {
    Map<StoredObject, Found> found = new HashMap<>();
    objects.forEach(each -> found.put(each, Found.NOTHING));
    Map<TransactionId, VectorClock> there = new HashMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        long version = rows.getLong(3);
        if (rows.wasNull()) {
          there.put(TransactionId.parse(rows.getString(1)), VectorClock.NONE);
        } else {
          StoredObject object = byKey.get(rows.getString(1));
          Object value = value(object, rows);
          Context context = encoding.context(rows.getBytes(4));
          found.put(object, new Found(value, version, VectorClock.NONE, context));
        }
      }
    }
    return new Snapshot(found, VectorClock.NONE, VectorClock.NONE, there);
  }

  private Object value(StoredObject object, ResultSet row) throws SQLException {
    if (!MappedTables.has(object)) {
      return encoding.value(row.getBytes(2));
    }
    java.sql.Array columns = row.getArray(5);
    try {
      return tables.of(object).value(columns == null ? null : (String[]) columns.getArray());
    } catch (IllegalArgumentException e) {
      throw new SQLException(object + ": " + e.getMessage(), e);
    }
  }

  @Override
  public Reply check(Part part) throws StoreException {
    Map<MappedTable, List<StoredObject>> rows = tables.byTable(part.reads().keySet());
    StringBuilder all = new StringBuilder("SELECT orca_unchanged(?, ?)");
    rows.keySet().forEach(each -> all.append(" AND orca_same_" + each.id() + "(?, ?)"));
    return sql.call(
        all.toString(),
        statement -> {
          setReads(statement, 1, part);
          int at = 3;
          for (Map.Entry<MappedTable, List<StoredObject>> each : rows.entrySet()) {
            MappedTables.setMarks(statement, at, each.getKey(), each.getValue(), part.reads());
            at += 2;
          }
          boolean isUnchanged = first(statement, row -> row.getBoolean(1));
          return Reply.of(isUnchanged ? Answer.DONE : Answer.CONFLICT);
        });
  }

  private static void setReads(PreparedStatement statement, int at, Part part) throws SQLException {
    List<String> keys = new ArrayList<>();
    List<Long> versions = new ArrayList<>();
    part.reads()
        .forEach(
            (object, version) -> {
              keys.add(Encoding.key(object));
              versions.add(MappedTables.kept(object, version));
            });
    statement.setArray(at, Sql.texts(statement, keys));
    statement.setArray(at + 1, Sql.numbers(statement, versions));
  }

  // --- committing --------------------------------------------------------------------------------

  private static final String COMMIT =
      "SELECT answer, keys, versions, made FROM orca_commit("
          + "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  /** With {@code made}, for what prepares: whether it was done now, and not before. */
  private Reply commit(
      PreparedStatement statement, TransactionId id, Part part, Intent intent, boolean[] made)
      throws SQLException {
    List<Part.Write> writes = new ArrayList<>(part.writes());
    writes.sort(Comparator.comparing(each -> Encoding.key(each.object())));
    Map<String, StoredObject> byKey = new HashMap<>();
    writes.forEach(each -> byKey.put(Encoding.key(each.object()), each.object()));
    statement.setString(1, id.toString());
    statement.setLong(2, id.millis());
    statement.setBoolean(3, made != null);
    statement.setBytes(4, intent.isEmpty() ? null : encoding.intent(intent));
    setReads(statement, 5, part);
    statement.setArray(
        7, Sql.texts(statement, writes.stream().map(each -> Encoding.key(each.object())).toList()));
    statement.setArray(
        8, Sql.bytes(statement, writes.stream().map(this::bytes).collect(Collectors.toList())));
    List<byte[]> contexts = new ArrayList<>();
    writes.forEach(each -> contexts.add(encoding.context(each.context())));
    statement.setArray(9, Sql.bytes(statement, contexts));
    setLocks(statement, 10, part);
    tables.setPart(statement, 12, part);
    return first(
        statement,
        row -> {
          Answer answer = Answer.valueOf(row.getString(1));
          if (made != null) {
            made[0] = row.getBoolean(4);
          }
          return answer == Answer.DONE ? Reply.decided(stamps(row, 2, id, part)) : Reply.of(answer);
        });
  }

  /** Null for a row, whose value is elsewhere. */
  private byte[] bytes(Part.Write write) {
    return MappedTables.has(write.object()) ? null : encoding.value(write.value());
  }

  /** Locks of all keys, in one order for all, so that nobody waits in a circle. */
  private static void setLocks(PreparedStatement statement, int at, Part part) throws SQLException {
    TreeMap<Long, Boolean> locks = new TreeMap<>();
    part.reads().keySet().forEach(each -> locks.put(lock(each), false));
    part.writes().forEach(each -> locks.put(lock(each.object()), true));
    statement.setArray(at, Sql.numbers(statement, locks.keySet()));
    statement.setArray(
        at + 1, statement.getConnection().createArrayOf("boolean", locks.values().toArray()));
  }

  /** Two keys may have one lock; then one waits for the other. */
  private static long lock(StoredObject object) {
    long hash = 0xcbf29ce484222325L;
    for (byte each : Encoding.key(object).getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }

  private static Map<StoredObject, Context.Stamp> stamps(
      ResultSet row, int at, TransactionId id, Part part) throws SQLException {
    Map<String, StoredObject> byKey = new HashMap<>();
    part.writes().forEach(each -> byKey.put(Encoding.key(each.object()), each.object()));
    Map<StoredObject, Context.Stamp> stamps = new HashMap<>();
    versions(row, at)
        .forEach(
            (key, version) -> stamps.put(byKey.get(key), new Context.Stamp(version, id.millis())));
    return stamps;
  }

  private static Map<String, Long> versions(ResultSet row, int at) throws SQLException {
    Map<String, Long> versions = new HashMap<>();
    java.sql.Array keys = row.getArray(at);
    if (keys != null) {
      String[] texts = (String[]) keys.getArray();
      Long[] numbers = (Long[]) row.getArray(at + 1).getArray();
      for (int i = 0; i < texts.length; i++) {
        versions.put(texts[i], numbers[i]);
      }
    }
    return versions;
  }

  private static final String COMMIT_ONE =
      "SELECT answer, version FROM orca_commit_one(?, ?, ?, ?, ?, ?, ?, ?)";

  /** Whether it is one object, no row, that is written, and no other one was read. */
  private static boolean isOfOne(Part part) {
    return part.writes().size() == 1
        && !MappedTables.has(part.writes().get(0).object())
        && (part.reads().isEmpty()
            || part.reads().keySet().equals(Set.of(part.writes().get(0).object())));
  }

  private Reply commitOne(PreparedStatement statement, TransactionId id, Part part, Intent intent)
      throws SQLException {
    Part.Write write = part.writes().get(0);
    statement.setString(1, id.toString());
    statement.setLong(2, id.millis());
    statement.setBytes(3, intent.isEmpty() ? null : encoding.intent(intent));
    statement.setString(4, Encoding.key(write.object()));
    statement.setLong(5, part.reads().getOrDefault(write.object(), -1L));
    statement.setBytes(6, encoding.value(write.value()));
    statement.setBytes(7, encoding.context(write.context()));
    statement.setLong(8, lock(write.object()));
    return first(
        statement,
        row -> {
          Answer answer = Answer.valueOf(row.getString(1));
          return answer == Answer.DONE
              ? Reply.decided(
                  Map.of(write.object(), new Context.Stamp(row.getLong(2), id.millis())))
              : Reply.of(answer);
        });
  }

  @Override
  public Reply decide(TransactionId id, Part part, Intent intent) throws StoreException {
    try {
      if (isOfOne(part)) {
        return sql.call(COMMIT_ONE, statement -> commitOne(statement, id, part, intent));
      }
      return sql.call(COMMIT, statement -> commit(statement, id, part, intent, null));
    } catch (StoreException e) {
      if (Sql.isRefused(e)) {
        // What was asked before may still come to pass, unless it is fenced.
        Reply reply = fence(id);
        return reply.answer() == Answer.NEVER ? heldOrThrow(e) : reply;
      }
      return heldOrThrow(e);
    }
  }

  /**
   * A conflict, if what has prepared holds its keys; nothing is done then.
   *
   * @throws IllegalTransactionException if what is written is refused
   */
  private static Reply heldOrThrow(StoreException e) throws StoreException {
    if (Sql.isHeld(e)) {
      return Reply.of(Answer.CONFLICT);
    } else if (Sql.isRefused(e)) {
      throw new IllegalTransactionException(e.getMessage());
    }
    throw e;
  }

  @Override
  public Reply prepare(TransactionId id, Part part) throws StoreException {
    try {
      return prepareNow(id, part);
    } catch (StoreException e) {
      Reply held = heldOrThrow(e);
      // It may be held by itself.
      return prepared(Long.MAX_VALUE).contains(id) ? Reply.of(Answer.DONE) : held;
    }
  }

  private Reply prepareNow(TransactionId id, Part part) throws StoreException {
    Intent nothing = new Intent(id, List.of(), List.of());
    return sql.run(
        connection -> {
          connection.setAutoCommit(false);
          try (PreparedStatement statement = connection.prepareStatement(COMMIT)) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            boolean[] made = {false};
            Reply reply = commit(statement, id, part, nothing, made);
            if (made[0]) {
              execute(connection, "PREPARE TRANSACTION '" + GID + id + "'");
            }
            return Reply.of(reply.answer() == Answer.DONE ? Answer.DONE : Answer.CONFLICT);
          } finally {
            connection.rollback();
            connection.setAutoCommit(true);
          }
        });
  }

  private static void execute(Connection connection, String text) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      statement.execute(text);
    }
  }

  @Override
  public Reply fence(TransactionId id) throws StoreException {
    return sql.call(
        "SELECT answer, keys, versions FROM orca_fence(?, ?)",
        statement -> {
          statement.setString(1, id.toString());
          statement.setLong(2, id.millis());
          return first(
              statement,
              row -> {
                Answer answer = Answer.valueOf(row.getString(1));
                return answer == Answer.DONE
                    ? Reply.decided(stampsByKey(row, id))
                    : Reply.of(answer);
              });
        });
  }

  private Map<StoredObject, Context.Stamp> stampsByKey(ResultSet row, TransactionId id)
      throws SQLException {
    Map<StoredObject, Context.Stamp> stamps = new HashMap<>();
    versions(row, 2)
        .forEach(
            (key, version) ->
                stamps.put(
                    new StoredObject(traits.name(), traits.level(), Encoding.key(key)),
                    new Context.Stamp(version, id.millis())));
    return stamps;
  }

  @Override
  public Reply commitPrepared(TransactionId id) throws StoreException {
    return settle("COMMIT PREPARED '" + GID + id + "'");
  }

  private Reply settle(String text) throws StoreException {
    return sql.run(
        connection -> {
          try {
            execute(connection, text);
          } catch (SQLException e) {
            // It was settled before.
            if (!UNDEFINED_OBJECT.equals(e.getSQLState())) {
              throw e;
            }
          }
          return Reply.of(Answer.DONE);
        });
  }

  @Override
  public Reply abortPrepared(TransactionId id) throws StoreException {
    Reply reply = settle("ROLLBACK PREPARED '" + GID + id + "'");
    fence(id);
    return reply;
  }

  @Override
  public void close(Set<TransactionId> ids) throws StoreException {
    sql.close("orca_transactions", ids);
  }

  // --- for workers -------------------------------------------------------------------------------

  @Override
  public List<Intent> intents(long millis) throws StoreException {
    return sql.call(
        "SELECT intent, keys, versions, id FROM orca_transactions"
            + " WHERE intent IS NOT NULL AND millis < ? ORDER BY millis LIMIT 1000",
        statement -> {
          statement.setLong(1, millis);
          List<Intent> all = new ArrayList<>();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              TransactionId id = TransactionId.parse(rows.getString(4));
              Map<StoredObject, Context.Stamp> stamps = stampsByKey(rows, id);
              encoding
                  .readableIntent(rows.getBytes(1), traits)
                  .ifPresent(each -> all.add(each.with(stamps)));
            }
          }
          return all;
        });
  }

  @Override
  public boolean isDone(long millis) throws StoreException {
    return sql.isDone("orca_transactions", millis) && prepared(millis + 1).isEmpty();
  }

  @Override
  public List<TransactionId> prepared(long millis) throws StoreException {
    return sql.call(
        "SELECT gid FROM pg_prepared_xacts WHERE database = current_database() AND gid LIKE ?",
        statement -> {
          statement.setString(1, GID + "%");
          List<TransactionId> all = new ArrayList<>();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              TransactionId id = TransactionId.parse(rows.getString(1).substring(GID.length()));
              if (id.millis() < millis) {
                all.add(id);
              }
            }
          }
          return all;
        });
  }

  @Override
  public void refuse(long millis) throws StoreException {
    sql.refuse(millis);
  }

  @Override
  public void forgetParts(long millis) throws StoreException {
    floor("UPDATE orca_floors SET parts = greatest(parts, ?)", millis);
  }

  @Override
  public void forget(long millis) throws StoreException {
    floor("UPDATE orca_floors SET forgotten = greatest(forgotten, ?)", millis);
    sql.call(
        "DELETE FROM orca_transactions WHERE millis <= ? AND intent IS NULL",
        statement -> {
          statement.setLong(1, millis);
          return statement.executeUpdate();
        });
  }

  private void floor(String update, long millis) throws StoreException {
    sql.call(
        update,
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
