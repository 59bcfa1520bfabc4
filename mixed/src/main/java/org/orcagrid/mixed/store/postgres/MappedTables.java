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
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.store.Encoding;
import org.orcagrid.mixed.store.RowKey;
import org.orcagrid.mixed.store.StoreException;

/** The mapped tables of a store. */
final class MappedTables {
  /** Of a row that is written, and was not read. */
  private static final long NOT_READ = -1;

  private final String store;
  private final Map<String, MappedTable> byName = new LinkedHashMap<>();

  /**
   * Finds tables, and makes functions for them.
   *
   * @throws StoreException if one cannot be mapped
   */
  MappedTables(String store, Sql sql, List<Mapped<?>> all) throws StoreException {
    this.store = store;
    Catalog catalog = new Catalog(sql, store);
    for (Mapped<?> each : all) {
      if (byName.put(each.table().toString(), catalog.find(each)) != null) {
        throw new StoreException(
            "The store " + store + ": " + each + " is mapped twice; name all columns at once",
            null);
      }
    }
    for (MappedTable each : byName.values()) {
      sql.execute(each.script());
    }
  }

  /** Whether an object is a row. */
  static boolean has(StoredObject object) {
    return object.key() instanceof RowKey;
  }

  /**
   * The table of a row.
   *
   * @throws IllegalTransactionException if there is none here
   */
  MappedTable of(StoredObject object) {
    RowKey key = (RowKey) object.key();
    MappedTable table = byName.get(key.table());
    if (table == null) {
      throw new IllegalTransactionException(
          object
              + " is a row of a table that the store "
              + store
              + " was not given; give it the Mapped, too. It has "
              + byName.keySet());
    }
    return table;
  }

  private static String row(MappedTable table, StoredObject object) {
    return table.row((RowKey) object.key());
  }

  /** The rows of some objects, by table. */
  Map<MappedTable, List<StoredObject>> byTable(Set<StoredObject> objects) {
    Map<MappedTable, List<StoredObject>> all = new LinkedHashMap<>();
    for (StoredObject each : objects) {
      if (has(each)) {
        all.computeIfAbsent(of(each), none -> new ArrayList<>()).add(each);
      }
    }
    return all;
  }

  /** Sets the parameters of a table's {@code select}. */
  static void setRows(
      PreparedStatement statement, int at, MappedTable table, List<StoredObject> objects)
      throws SQLException {
    statement.setArray(at, Sql.texts(statement, objects.stream().map(Encoding::key).toList()));
    statement.setArray(
        at + 1, Sql.texts(statement, objects.stream().map(each -> row(table, each)).toList()));
  }

  /** Sets the parameters of a table's {@code orca_same}. */
  static void setMarks(
      PreparedStatement statement,
      int at,
      MappedTable table,
      List<StoredObject> objects,
      Map<StoredObject, Long> versions)
      throws SQLException {
    statement.setArray(
        at, Sql.texts(statement, objects.stream().map(each -> row(table, each)).toList()));
    statement.setArray(
        at + 1,
        Sql.numbers(statement, objects.stream().map(each -> mark(versions.get(each))).toList()));
  }

  private static long mark(long version) {
    return version % MappedTable.STEP;
  }

  /** What of a version {@code orca_objects} has. */
  static long kept(StoredObject object, long version) {
    return has(object) ? version - mark(version) : version;
  }

  /** Sets what {@code orca_commit} has to know of rows. */
  void setPart(PreparedStatement statement, int at, Part part) throws SQLException {
    Map<StoredObject, String> columns = new HashMap<>();
    Set<StoredObject> objects = new LinkedHashSet<>();
    for (Part.Write each : part.writes()) {
      if (has(each.object())) {
        columns.put(each.object(), of(each.object()).columns(each.value()));
        objects.add(each.object());
      }
    }
    part.reads().keySet().stream().filter(MappedTables::has).forEach(objects::add);
    List<String> tables = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    List<Long> marks = new ArrayList<>();
    List<String> written = new ArrayList<>();
    for (StoredObject each : objects) {
      MappedTable table = of(each);
      tables.add(table.id());
      rows.add(row(table, each));
      Long version = part.reads().get(each);
      marks.add(version == null ? NOT_READ : mark(version));
      written.add(columns.get(each));
    }
    statement.setArray(at, Sql.texts(statement, tables));
    statement.setArray(at + 1, Sql.texts(statement, rows));
    statement.setArray(at + 2, Sql.numbers(statement, marks));
    statement.setArray(at + 3, Sql.texts(statement, written));
  }
}
