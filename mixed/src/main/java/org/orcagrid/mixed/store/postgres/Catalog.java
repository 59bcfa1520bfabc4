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

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.mixed.store.StoreException;

/** Finds mapped tables in the database, and refuses those that cannot be mapped as they are. */
final class Catalog {
  private static final String TABLE =
      "SELECT c.oid::bigint, c.relkind::text, c.relpersistence::text, c.relhasrules,"
          + " row_security_active(c.oid),"
          + " EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhparent = c.oid),"
          + " has_schema_privilege(n.oid, 'USAGE')"
          + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE n.nspname = ? AND c.relname = ?";
  private static final String COLUMNS =
      "SELECT a.attname, CASE WHEN t.typtype = 'b' AND t.typnamespace = 'pg_catalog'::regnamespace"
          + " THEN t.typname::text ELSE '' END, format_type(a.atttypid, a.atttypmod), a.atttypmod,"
          + " a.attgenerated <> '', a.attidentity = 'a', coalesce(co.collisdeterministic, true),"
          + " has_column_privilege(a.attrelid, a.attnum, 'SELECT'),"
          + " has_column_privilege(a.attrelid, a.attnum, 'INSERT'),"
          + " has_column_privilege(a.attrelid, a.attnum, 'UPDATE')"
          + " FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid"
          + " LEFT JOIN pg_collation co ON co.oid = a.attcollation"
          + " WHERE a.attrelid = ?::oid AND a.attnum > 0 AND NOT a.attisdropped"
          + " ORDER BY a.attnum";
  private static final String UNIQUE =
      "SELECT EXISTS (SELECT 1 FROM pg_index i,"
          + " LATERAL (SELECT array_agg(a.attname::text) AS named FROM pg_attribute a"
          + " WHERE a.attrelid = i.indrelid"
          + " AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])) AS k"
          + " WHERE i.indrelid = ?::oid AND i.indisunique AND i.indisvalid"
          + " AND i.indpred IS NULL AND i.indexprs IS NULL"
          + " AND k.named @> ? AND k.named <@ ?)";

  private static final List<String> PRIVILEGES = List.of("SELECT", "INSERT", "UPDATE");

  private final Sql sql;
  private final String store;

  Catalog(Sql sql, String store) {
    this.sql = sql;
    this.store = store;
  }

  private record Present(
      String type,
      String fullType,
      int modifier,
      boolean isGenerated,
      boolean isIdentity,
      boolean isDeterministic,
      List<String> lacking) {}

  /**
   * Finds a table.
   *
   * @throws StoreException if it is not as it should be; the message says what to do
   */
  MappedTable find(Mapped<?> mapped) throws StoreException {
    long oid = table(mapped);
    Map<String, Present> present = columns(oid);
    List<Column> keys = new ArrayList<>();
    for (String each : mapped.keys()) {
      keys.add(key(mapped, each, present));
    }
    List<Column> values = new ArrayList<>();
    for (String each : mapped.values()) {
      values.add(value(mapped, each, present));
    }
    boolean isUnique =
        sql.call(
            UNIQUE,
            statement -> {
              statement.setLong(1, oid);
              statement.setArray(2, Sql.texts(statement, mapped.keys()));
              statement.setArray(3, Sql.texts(statement, mapped.keys()));
              try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
              }
            });
    if (!isUnique) {
      throw refused(
          mapped,
          "has several rows with one key, or may have: no unique index is on "
              + mapped.keys()
              + " alone; name the columns of its primary key, or make one");
    }
    return new MappedTable(mapped.table(), keys, values, mapped.type() != Map.class);
  }

  /** Its number, and why it cannot be mapped; no reason if it can. */
  private record Kind(long oid, String wrong) {}

  private long table(Mapped<?> mapped) throws StoreException {
    Kind kind =
        sql.call(
            TABLE,
            statement -> {
              statement.setString(1, mapped.table().schema());
              statement.setString(2, mapped.table().name());
              try (ResultSet row = statement.executeQuery()) {
                return row.next()
                    ? new Kind(row.getLong(1), wrong(row))
                    : new Kind(
                        0,
                        "is not in the schema "
                            + mapped.table().schema()
                            + "; name it exactly as it is (what was made without quotes has small"
                            + " letters), and its schema");
              }
            });
    if (kind.wrong() != null) {
      throw refused(mapped, kind.wrong());
    }
    return kind.oid();
  }

  private static String wrong(ResultSet row) throws SQLException {
    if (!row.getString(2).equals("r") || row.getBoolean(6)) {
      return "is a view, a foreign, partitioned or inherited table, or no table;"
          + " map an ordinary one, as a partition";
    } else if (!row.getString(3).equals("p")) {
      return "is unlogged or temporary, and loses what is decided; ALTER TABLE ... SET LOGGED";
    } else if (row.getBoolean(4)) {
      return "has rules, which may write something else; use triggers instead";
    } else if (row.getBoolean(5)) {
      return "hides rows from this user by row security; give the user BYPASSRLS";
    } else if (!row.getBoolean(7)) {
      return "is in a schema that this user may not use; GRANT USAGE ON SCHEMA to it";
    }
    return null;
  }

  private Map<String, Present> columns(long oid) throws StoreException {
    return sql.call(
        COLUMNS,
        statement -> {
          statement.setLong(1, oid);
          Map<String, Present> all = new LinkedHashMap<>();
          try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              all.put(row.getString(1), present(row));
            }
          }
          return all;
        });
  }

  private static Present present(ResultSet row) throws SQLException {
    List<String> lacking = new ArrayList<>();
    for (int i = 0; i < PRIVILEGES.size(); i++) {
      if (!row.getBoolean(8 + i)) {
        lacking.add(PRIVILEGES.get(i));
      }
    }
    return new Present(
        row.getString(2),
        row.getString(3),
        row.getInt(4),
        row.getBoolean(5),
        row.getBoolean(6),
        row.getBoolean(7),
        lacking);
  }

  private Column key(Mapped<?> mapped, String name, Map<String, Present> all)
      throws StoreException {
    Present present = present(mapped, name, all);
    Column column = column(mapped, name, present);
    if (!column.type().isForKeys() || !present.isDeterministic()) {
      throw refused(
          mapped,
          "has the key column "
              + name
              + " of "
              + present.fullType()
              + ", of which different texts may be equal; use one of "
              + Column.Type.KEYS
              + (present.isDeterministic() ? "" : ", with a deterministic collation"));
    }
    // A key is inserted, and never updated.
    checkPrivileges(mapped, name, present, List.of("SELECT", "INSERT"));
    return column;
  }

  private Column value(Mapped<?> mapped, String name, Map<String, Present> all)
      throws StoreException {
    Present present = present(mapped, name, all);
    Column column = column(mapped, name, present);
    if (mapped.type() != Map.class && mapped.type() != column.type().javaType()) {
      throw refused(
          mapped,
          "has the column "
              + name
              + " of "
              + present.fullType()
              + "; map it to "
              + column.type().javaType().getSimpleName()
              + ", not to "
              + mapped.type().getSimpleName());
    }
    checkPrivileges(mapped, name, present, PRIVILEGES);
    return column;
  }

  private Present present(Mapped<?> mapped, String name, Map<String, Present> all)
      throws StoreException {
    Present present = all.get(name);
    if (present == null) {
      throw refused(mapped, "has no column " + name + "; it has " + all.keySet());
    }
    return present;
  }

  private Column column(Mapped<?> mapped, String name, Present present) throws StoreException {
    Column.Type type = Column.Type.named(present.type()).orElse(null);
    if (type == null) {
      throw refused(
          mapped,
          "has the column "
              + name
              + " of "
              + present.fullType()
              + ", which is not mapped; leave it out, or make it one of "
              + Column.Type.ALL);
    }
    if (present.isGenerated()) {
      throw refused(
          mapped,
          "computes the column " + name + " itself; leave it out, or ALTER COLUMN DROP EXPRESSION");
    } else if (present.isIdentity()) {
      throw refused(
          mapped,
          "numbers the column "
              + name
              + " itself, and takes no value; ALTER COLUMN SET GENERATED BY DEFAULT, or leave it"
              + " out");
    }
    return new Column(mapped.table().toString(), name, type, present.modifier());
  }

  private void checkPrivileges(Mapped<?> mapped, String name, Present present, List<String> needed)
      throws StoreException {
    List<String> lacking = needed.stream().filter(present.lacking()::contains).toList();
    if (!lacking.isEmpty()) {
      throw refused(
          mapped,
          "does not allow this user to "
              + lacking
              + " the column "
              + name
              + "; GRANT "
              + String.join(", ", lacking)
              + " ON "
              + mapped.table()
              + " to it");
    }
  }

  private StoreException refused(Mapped<?> mapped, String why) {
    return new StoreException("The store " + store + ": " + mapped + " " + why, null);
  }
}
