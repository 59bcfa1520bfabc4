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

import java.util.List;
import java.util.Map;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.store.RowKey;

/**
 * A table of the user, whose rows are objects of a {@link PostgresStore}:
 *
 * <pre>{@code
 * Mapped<Long> accounts = Mapped.table("accounts").key("id").value("balance", Long.class);
 * Store sql = new PostgresStore("sql", pool, operations, accounts);
 * Handle<Linearizable, Long> balance = accounts.row(SQL, 7);
 * }</pre>
 *
 * <p>Names are taken exactly as they are; PostgreSQL has folded those that were written without
 * quotes to lower case. The store looks at the table when it is opened.
 *
 * @param <T> the type of values: of one column, or a map from columns to their values
 */
public final class Mapped<T> {
  private static final String PUBLIC = "public";

  private final Table table;
  private final List<String> keys;
  private final List<String> values;
  private final Class<?> type;

  private Mapped(Keyed keyed, List<String> values, Class<?> type) {
    this.table = keyed.table();
    this.keys = keyed.columns();
    this.values = List.copyOf(values);
    this.type = type;
    if (values.isEmpty() || values.stream().distinct().count() < values.size()) {
      throw new IllegalArgumentException(
          this + " is mapped to the columns " + values + "; name at least one, and each once");
    }
    for (String each : values) {
      if (keys.contains(each)) {
        throw new IllegalArgumentException(
            this + " has " + each + " as key and as value; leave it out of the value");
      }
    }
  }

  /** A table of the schema {@code public}. */
  public static Table table(String name) {
    return table(PUBLIC, name);
  }

  /** A table of another schema. */
  public static Table table(String schema, String name) {
    return new Table(schema, name);
  }

  /**
   * A table that is being mapped.
   *
   * @param schema it is in
   */
  public record Table(String schema, String name) {
    /** The columns by which a row is known: those of its primary key, or of a unique index. */
    public Keyed key(String... columns) {
      return new Keyed(this, List.of(columns));
    }

    @Override
    public String toString() {
      return schema.equals(PUBLIC) ? name : schema + "." + name;
    }
  }

  /**
   * A table that is being mapped, and its key.
   *
   * @param columns of the key
   */
  public record Keyed(Table table, List<String> columns) {
    /** One whose columns do not change. */
    public Keyed {
      columns = List.copyOf(columns);
      if (columns.isEmpty() || columns.stream().distinct().count() < columns.size()) {
        throw new IllegalArgumentException(
            table + " is mapped by the key " + columns + "; name at least one column, each once");
      }
    }

    /**
     * An object's value is that of one column. A row that is not there, and a column that is NULL,
     * are both null.
     *
     * @param type {@code String} for text and varchar, {@code byte[]} for bytea, {@code Integer}
     *     for integer, {@code Long} for bigint, {@code BigDecimal} for numeric, {@code Boolean} for
     *     boolean, {@code Instant} for timestamptz, {@code UUID} for uuid
     */
    public <T> Mapped<T> value(String column, Class<T> type) {
      return new Mapped<>(this, List.of(column), type);
    }

    /**
     * An object's value has these columns, all of them, by name. A row that is not there is null;
     * null cannot be written, since rows are not deleted.
     */
    public Mapped<Map<String, Object>> values(String... columns) {
      return new Mapped<>(this, List.of(columns), Map.class);
    }
  }

  /**
   * The object that is a row; whether it is there or not, it may be read and written.
   *
   * @param store that this was given to
   * @param key a text, whole number or UUID for each column of the key
   * @throws IllegalTransactionException if there are more or fewer of them, or of other types
   */
  public <L extends Level> Handle<L, T> row(StoreName<L> store, Object... key) {
    if (key.length != keys.size()) {
      throw new IllegalTransactionException(
          this + " has the key " + keys + "; give " + keys.size() + " values, not " + key.length);
    }
    return store.object(RowKey.of(table.toString(), key));
  }

  Table table() {
    return table;
  }

  List<String> keys() {
    return keys;
  }

  List<String> values() {
    return values;
  }

  /** The type of the one column's values; {@code Map} for several. */
  Class<?> type() {
    return type;
  }

  @Override
  public String toString() {
    return "the table " + table;
  }
}
