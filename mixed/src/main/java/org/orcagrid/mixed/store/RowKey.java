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
package org.orcagrid.mixed.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.orcagrid.mixed.plan.IllegalTransactionException;

/**
 * The key of an object that is a row of a table. Columns are texts in the one way that each value
 * is written, so that one row has one key.
 *
 * @param table its name, with the schema before it unless that is {@code public}
 * @param columns of the key, in the order that the table was mapped with
 */
public record RowKey(String table, List<String> columns) {
  private static final String APART = "%(),";

  /** One whose columns do not change. */
  public RowKey {
    columns = List.copyOf(columns);
  }

  /**
   * The key of a row.
   *
   * @param values texts, whole numbers or UUIDs
   * @throws IllegalTransactionException if one is of another type
   */
  public static RowKey of(String table, Object... values) {
    List<String> columns = new ArrayList<>();
    for (Object each : values) {
      boolean isKey =
          each instanceof String
              || each instanceof Long
              || each instanceof Integer
              || each instanceof UUID;
      if (!isKey) {
        throw new IllegalTransactionException(
            "A row of "
                + table
                + " has the key "
                + Arrays.toString(values)
                + "; use texts, whole numbers (Long, Integer) or UUIDs");
      }
      columns.add(each.toString());
    }
    return new RowKey(table, columns);
  }

  /** The key with this text. */
  static RowKey parse(String text) {
    int open = text.indexOf('(');
    if (open < 0 || !text.endsWith(")")) {
      throw new IllegalArgumentException(text + " is no key of a row, which is as accounts(7)");
    }
    List<String> columns = new ArrayList<>();
    for (String each : text.substring(open + 1, text.length() - 1).split(",", -1)) {
      columns.add(plain(each));
    }
    return new RowKey(plain(text.substring(0, open)), columns);
  }

  @Override
  public String toString() {
    return columns.stream().map(RowKey::escaped).collect(Collectors.joining(",", start(), ")"));
  }

  private String start() {
    return escaped(table) + "(";
  }

  private static String escaped(String text) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (APART.indexOf(each) >= 0) {
        all.append('%').append(Integer.toHexString(each));
      } else {
        all.append(each);
      }
    }
    return all.toString();
  }

  private static String plain(String text) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '%') {
        all.append((char) Integer.parseInt(text.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        all.append(each);
      }
    }
    return all.toString();
  }
}
