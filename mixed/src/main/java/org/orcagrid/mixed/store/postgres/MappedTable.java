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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.store.RowKey;

/**
 * A mapped table as the database has it: the SQL that reads and writes it, and what goes in and out
 * of that. The row's version and context are in {@code orca_objects}, under the row's key.
 *
 * <p>A version is that of {@code orca_objects}, in steps of {@link #STEP}, and the row's mark. The
 * mark tells by which transaction of the database the row was written last, so it changes with what
 * other programs write, too.
 */
final class MappedTable {
  /** Between two versions of a row; marks are smaller. */
  static final long STEP = 1L << 24;

  private final String name;
  private final String sqlName;
  private final List<Column> keys;
  private final List<Column> values;
  private final boolean isOfOne;
  private final String id;

  /**
   * One.
   *
   * @param isOfOne whether objects' values are those of one column, and no maps
   */
  MappedTable(Mapped.Table table, List<Column> keys, List<Column> values, boolean isOfOne) {
    this.name = table.toString();
    this.sqlName = Column.quoted(table.schema()) + "." + Column.quoted(table.name());
    this.keys = List.copyOf(keys);
    this.values = List.copyOf(values);
    this.isOfOne = isOfOne;
    String all = sqlName + this.keys + this.values;
    this.id =
        UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)).toString().replace("-", "");
  }

  /** What keys of its rows name. */
  String name() {
    return name;
  }

  /** In the names of its functions; other columns have others. */
  String id() {
    return id;
  }

  // --- SQL ---------------------------------------------------------------------------------------

  /** Whether {@code t} is the row whose key's columns are the text {@code r.k}. */
  private String matches() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      String text = "(r.k::text[])[" + (i + 1) + "]";
      all.add("t." + keys.get(i).quoted() + " = " + keys.get(i).fromText(text));
    }
    return String.join(" AND ", all);
  }

  /**
   * Reads rows with what belongs to them; has two parameters: the keys of objects, and the texts of
   * their columns.
   */
  String select() {
    String columns = values.stream().map(each -> each.toText("t")).collect(Collectors.joining(","));
    return "SELECT r.o, NULL::bytea, coalesce(o.version, 0) + orca_mark(t.xmin), o.context,"
        + " CASE WHEN t.xmin IS NOT NULL THEN ARRAY["
        + columns
        + "]::text[] END FROM unnest(?::text[], ?::text[]) AS r(o, k) LEFT JOIN "
        + sqlName
        + " AS t ON "
        + matches()
        + " LEFT JOIN orca_objects AS o ON o.key = r.o";
  }

  /** Makes the functions that {@code orca_commit} calls for the table. */
  String script() {
    String tag = "$orca_" + id + "$";
    String table = sqlName + " AS t";
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      texts.add(values.get(i).fromText("(r.c::text[])[" + (i + 1) + "]"));
    }
    List<String> sets = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      sets.add(values.get(i).quoted() + " = " + texts.get(i));
    }
    List<String> columns = new ArrayList<>();
    keys.forEach(each -> columns.add(each.quoted()));
    values.forEach(each -> columns.add(each.quoted()));
    List<String> inserted = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      inserted.add(keys.get(i).fromText("(r.k::text[])[" + (i + 1) + "]"));
    }
    inserted.addAll(texts);
    return String.join(
        "\n",
        "SET LOCAL lock_timeout = '5s';",
        "SELECT pg_advisory_xact_lock(7310);",
        "CREATE OR REPLACE FUNCTION orca_same_" + id + "(p_rows text[], p_marks bigint[])",
        "RETURNS boolean LANGUAGE sql STABLE AS " + tag,
        "  SELECT NOT EXISTS (SELECT 1 FROM unnest(p_rows, p_marks) AS r(k, m)",
        "    LEFT JOIN " + table + " ON " + matches(),
        "    WHERE r.m >= 0 AND orca_mark(t.xmin) <> r.m)",
        tag + ";",
        "CREATE OR REPLACE FUNCTION orca_lock_" + id,
        "(p_rows text[], p_marks bigint[], p_columns text[])",
        "RETURNS boolean LANGUAGE plpgsql AS " + tag,
        "BEGIN",
        "  PERFORM 1 FROM unnest(p_rows, p_columns) AS r(k, c) JOIN " + table + " ON " + matches(),
        "    WHERE r.c IS NOT NULL FOR NO KEY UPDATE OF t;",
        "  PERFORM 1 FROM unnest(p_rows, p_columns) AS r(k, c) JOIN " + table + " ON " + matches(),
        "    WHERE r.c IS NULL FOR SHARE OF t;",
        "  RETURN orca_same_" + id + "(p_rows, p_marks);",
        "END " + tag + ";",
        "CREATE OR REPLACE FUNCTION orca_put_" + id + "(p_rows text[], p_columns text[])",
        "RETURNS void LANGUAGE plpgsql AS " + tag,
        "DECLARE",
        "  orca_updated bigint;",
        "  orca_inserted bigint;",
        "BEGIN",
        "  UPDATE " + table + " SET " + String.join(", ", sets),
        "    FROM unnest(p_rows, p_columns) AS r(k, c) WHERE r.c IS NOT NULL AND "
            + matches()
            + ";",
        "  GET DIAGNOSTICS orca_updated = ROW_COUNT;",
        // Not ON CONFLICT: that wants values for columns without a default, though the row is
        // there.
        "  INSERT INTO " + sqlName + " (" + String.join(", ", columns) + ")",
        "    SELECT " + String.join(", ", inserted) + " FROM unnest(p_rows, p_columns) AS r(k, c)",
        "    WHERE r.c IS NOT NULL AND NOT EXISTS",
        "      (SELECT 1 FROM " + table + " WHERE " + matches() + ");",
        "  GET DIAGNOSTICS orca_inserted = ROW_COUNT;",
        // Another program's insert may have come between the two; a trigger may skip a row.
        "  IF orca_updated + orca_inserted <> (SELECT count(u.c) FROM unnest(p_columns) AS u(c))",
        "  THEN RAISE unique_violation USING MESSAGE = " + notWritten() + ";",
        "  END IF;",
        "END " + tag + ";");
  }

  /** What is said if rows were skipped, in SQL. The error is one that {@link Sql} repeats. */
  private String notWritten() {
    String text =
        "The table "
            + name
            + " has not taken all rows: a trigger skips them, or another program writes them all"
            + " the time; let BEFORE triggers return the row";
    return "'" + text.replace("'", "''") + "'";
  }

  // --- what goes in and out ----------------------------------------------------------------------

  /**
   * The columns of a key, as an array's text.
   *
   * @throws IllegalTransactionException if no row can have the key
   */
  String row(RowKey key) {
    if (key.columns().size() != keys.size()) {
      throw new IllegalTransactionException(
          key + " has " + key.columns().size() + " columns; the key of " + name + " is " + keys);
    }
    for (int i = 0; i < keys.size(); i++) {
      keys.get(i).checkKey(key.columns().get(i));
    }
    return array(key.columns());
  }

  /**
   * The columns of a value, as an array's text.
   *
   * @throws IllegalTransactionException if the table cannot have it as it is
   */
  String columns(Object value) {
    List<String> texts = new ArrayList<>();
    if (isOfOne) {
      texts.add(values.get(0).text(value));
      return array(texts);
    }
    List<String> names = values.stream().map(Column::name).toList();
    if (!(value instanceof Map<?, ?> map)
        || map.size() != names.size()
        || !map.keySet().containsAll(names)) {
      throw new IllegalTransactionException(
          "A row of "
              + name
              + " does not take "
              + value
              + "; give a map from all of "
              + names
              + " to values (rows are not deleted)");
    }
    values.forEach(each -> texts.add(each.text(map.get(each.name()))));
    return array(texts);
  }

  /** The value of what was read; null if the row is not there. */
  Object value(String[] texts) {
    if (texts == null || isOfOne) {
      return texts == null ? null : values.get(0).value(texts[0]);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    for (int i = 0; i < texts.length; i++) {
      all.put(values.get(i).name(), values.get(i).value(texts[i]));
    }
    return all;
  }

  private static String array(List<String> texts) {
    return texts.stream()
        .map(
            each ->
                each == null
                    ? "NULL"
                    : '"' + each.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
        .collect(Collectors.joining(",", "{", "}"));
  }
}
