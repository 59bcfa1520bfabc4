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

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.orcagrid.mixed.plan.IllegalTransactionException;

/**
 * A column of a mapped table. Its values go to the database and come from there as texts, in ways
 * that no setting of a connection changes.
 *
 * @param table it is of, for messages
 * @param modifier of the type, as {@code pg_attribute.atttypmod}
 */
record Column(String table, String name, Type type, int modifier) {
  /** A type that has a mapping. */
  enum Type {
    TEXT("text", String.class, true),
    VARCHAR("varchar", String.class, true),
    BYTEA("bytea", byte[].class, false),
    INTEGER("int4", Integer.class, true),
    BIGINT("int8", Long.class, true),
    NUMERIC("numeric", BigDecimal.class, false),
    BOOLEAN("bool", Boolean.class, false),
    TIMESTAMPTZ("timestamptz", Instant.class, false),
    UUID_TYPE("uuid", UUID.class, true);

    static final String ALL =
        "text, varchar, bytea, integer, bigint, numeric, boolean, timestamptz, uuid";
    static final String KEYS = "text, varchar, integer, bigint, uuid";

    private final String name;
    private final Class<?> javaType;
    private final boolean isForKeys;

    Type(String name, Class<?> javaType, boolean isForKeys) {
      this.name = name;
      this.javaType = javaType;
      this.isForKeys = isForKeys;
    }

    /** The type with a name in {@code pg_type}. */
    static Optional<Type> named(String name) {
      return Arrays.stream(values()).filter(each -> each.name.equals(name)).findFirst();
    }

    /** What values are in Java. */
    Class<?> javaType() {
      return javaType;
    }

    /** Whether two values are one if their texts are, and only then. */
    boolean isForKeys() {
      return isForKeys;
    }
  }

  /** What a modifier is more than what it stands for, of texts and of numeric. */
  private static final int MODIFIER_HEADER = 4;

  private static final int SCALE_BITS = 0x7ff;
  private static final int SCALE_SIGN = 0x400;
  private static final int MICROS_DIGITS = 6;
  private static final int NANOS_DIGITS = 9;
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  /** The name in SQL. */
  String quoted() {
    return quoted(name);
  }

  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** The value of a text, in SQL. */
  String fromText(String text) {
    return switch (type) {
      case TEXT, VARCHAR -> text;
      case BYTEA -> "decode(" + text + ", 'hex')";
      default -> text + "::" + type.name;
    };
  }

  /** The text of what the column has, in SQL. */
  String toText(String row) {
    String column = row + "." + quoted();
    return switch (type) {
      case BYTEA -> "encode(" + column + ", 'hex')";
      case TIMESTAMPTZ ->
          "CASE WHEN "
              + column
              + " >= '0001-01-01 00:00:00+00' AND "
              + column
              + " < '10000-01-01 00:00:00+00' THEN to_char("
              + column
              + " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') ELSE "
              + column
              + "::text END";
      default -> column + "::text";
    };
  }

  /**
   * The text of a value.
   *
   * @throws IllegalTransactionException if the column cannot have it as it is
   */
  String text(Object value) {
    if (value == null) {
      return null;
    }
    if (!type.javaType().isInstance(value)) {
      throw refused(value, "it takes " + type.javaType().getSimpleName());
    }
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    } else if (value instanceof String text && text.indexOf(0) >= 0) {
      throw refused("a text with the character 0", "PostgreSQL has no such texts; use bytea");
    } else if (value instanceof String text && isTooLong(text)) {
      throw refused(value, "it would be cut; give it at most " + length() + " characters");
    } else if (value instanceof BigDecimal number && isTooFine(number)) {
      throw refused(value, "it would be rounded; give it at most " + scale() + " decimals");
    } else if (value instanceof Instant instant) {
      checkInstant(instant);
    }
    return value.toString();
  }

  /** Trailing spaces that are too many would be dropped without an error. */
  private boolean isTooLong(String text) {
    return type == Type.VARCHAR
        && modifier >= MODIFIER_HEADER
        && text.codePointCount(0, text.length()) > length();
  }

  private int length() {
    return modifier - MODIFIER_HEADER;
  }

  private boolean isTooFine(BigDecimal number) {
    return modifier >= MODIFIER_HEADER && number.stripTrailingZeros().scale() > scale();
  }

  private int scale() {
    return (((modifier - MODIFIER_HEADER) & SCALE_BITS) ^ SCALE_SIGN) - SCALE_SIGN;
  }

  private void checkInstant(Instant instant) {
    int digits = modifier < 0 ? MICROS_DIGITS : modifier;
    Instant whole = instant.truncatedTo(ChronoUnit.SECONDS);
    long nanos = whole.until(instant, ChronoUnit.NANOS);
    if (nanos % (long) Math.pow(10, NANOS_DIGITS - digits) != 0) {
      throw refused(
          instant, "it would be rounded; truncate it to " + digits + " digits after the second");
    }
    if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
      throw refused(instant, "use years from 1 to 9999");
    }
  }

  private IllegalTransactionException refused(Object value, String why) {
    return new IllegalTransactionException(
        "The column "
            + name
            + " of the table "
            + table
            + " does not take "
            + (value instanceof byte[] ? "bytes" : value)
            + " ("
            + value.getClass().getSimpleName()
            + "): "
            + why);
  }

  /**
   * The value of a text.
   *
   * @throws IllegalArgumentException if it is one that Java does not have, as infinity
   */
  Object value(String text) {
    if (text == null) {
      return null;
    }
    try {
      return switch (type) {
        case TEXT, VARCHAR -> text;
        case BYTEA -> HexFormat.of().parseHex(text);
        case INTEGER -> Integer.valueOf(text);
        case BIGINT -> Long.valueOf(text);
        case NUMERIC -> new BigDecimal(text);
        case BOOLEAN -> Boolean.valueOf(text);
        case TIMESTAMPTZ -> Instant.parse(text);
        case UUID_TYPE -> UUID.fromString(text);
      };
    } catch (NumberFormatException | DateTimeException e) {
      throw new IllegalArgumentException(
          "The column "
              + name
              + " of the table "
              + table
              + " has "
              + text
              + ", which "
              + type.javaType().getSimpleName()
              + " does not have; write another value there",
          e);
    }
  }

  /**
   * Makes sure that a key's text is the only one of its value, and is taken as it is.
   *
   * @throws IllegalTransactionException if it is not
   */
  void checkKey(String text) {
    boolean isKey;
    try {
      isKey = value(text).toString().equals(text) && text.indexOf(0) < 0 && !isTooLong(text);
    } catch (IllegalArgumentException e) {
      isKey = false;
    }
    if (!isKey) {
      throw new IllegalTransactionException(
          "'"
              + text
              + "' is no key of the column "
              + name
              + " of the table "
              + table
              + "; give a "
              + type.javaType().getSimpleName()
              + (isTooLong(text) ? " of at most " + length() + " characters" : ""));
    }
  }
}
