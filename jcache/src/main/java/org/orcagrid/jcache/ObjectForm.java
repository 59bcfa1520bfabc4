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
package org.orcagrid.jcache;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Date;
import java.util.UUID;
import javax.cache.CacheException;

/**
 * Keys and values of any class: a byte that says which, and what the object has. Texts, numbers,
 * times and bytes are written as what they are; all others by Java's serialization, as far as it is
 * {@linkplain AllowedClasses allowed}.
 */
final class ObjectForm<T> implements Form<T> {
  private static final byte SERIALIZED = 0;
  private static final byte TEXT = 1;

  /** Of surrogates without their other half, which UTF-8 does not have. */
  private static final byte TEXT_16 = 2;

  private static final byte INT = 3;
  private static final byte LONG = 4;
  private static final byte SHORT = 5;
  private static final byte BYTE = 6;
  private static final byte CHAR = 7;
  private static final byte BOOLEAN = 8;
  private static final byte DOUBLE = 9;
  private static final byte FLOAT = 10;
  private static final byte BYTES = 11;
  private static final byte BIG_INTEGER = 12;
  private static final byte BIG_DECIMAL = 13;
  private static final byte ID = 14;
  private static final byte INSTANT = 15;
  private static final byte DURATION = 16;
  private static final byte DAY = 17;
  private static final byte TIME = 18;
  private static final byte DAY_TIME = 19;
  private static final byte DATE = 20;

  private final SerializedForm<T> others;

  private ObjectForm(SerializedForm<T> others) {
    this.others = others;
  }

  static <T> ObjectForm<T> ofKeys(ClassLoader loader, AllowedClasses allowed) {
    return new ObjectForm<>(SerializedForm.ofKeys(loader, allowed));
  }

  static <T> ObjectForm<T> ofValues(ClassLoader loader, AllowedClasses allowed) {
    return new ObjectForm<>(SerializedForm.ofValues(loader, allowed));
  }

  @Override
  public byte[] encode(T object) {
    byte[] plain = encodeNumber(object);
    if (plain == null) {
      plain = encodeTime(object);
    }
    return plain == null ? tagged(SERIALIZED, others.encode(object)) : plain;
  }

  /** Null if it is no number, text or bytes. */
  private static byte[] encodeNumber(Object object) {
    if (object instanceof String text) {
      return text(text);
    } else if (object instanceof Long number) {
      return room(LONG, Long.BYTES).putLong(number).array();
    } else if (object instanceof Integer number) {
      return room(INT, Integer.BYTES).putInt(number).array();
    } else if (object instanceof byte[] bytes) {
      return tagged(BYTES, bytes);
    } else if (object instanceof Short number) {
      return room(SHORT, Short.BYTES).putShort(number).array();
    } else if (object instanceof Byte number) {
      return room(BYTE, 1).put(number).array();
    } else if (object instanceof Character character) {
      return room(CHAR, Character.BYTES).putChar(character).array();
    } else if (object instanceof Boolean truth) {
      return room(BOOLEAN, 1).put((byte) (truth ? 1 : 0)).array();
    } else if (object instanceof Double number) {
      // All that is not a number is equal, and so has the same bytes.
      return room(DOUBLE, Long.BYTES).putLong(Double.doubleToLongBits(number)).array();
    } else if (object instanceof Float number) {
      return room(FLOAT, Integer.BYTES).putInt(Float.floatToIntBits(number)).array();
    } else if (is(object, BigInteger.class)) {
      return tagged(BIG_INTEGER, ((BigInteger) object).toByteArray());
    } else if (is(object, BigDecimal.class)) {
      BigDecimal number = (BigDecimal) object;
      byte[] unscaled = number.unscaledValue().toByteArray();
      return room(BIG_DECIMAL, Integer.BYTES + unscaled.length)
          .putInt(number.scale())
          .put(unscaled)
          .array();
    }
    return null;
  }

  /** Null if it is none of these. */
  @SuppressWarnings("JavaUtilDate")
  private static byte[] encodeTime(Object object) {
    if (object instanceof UUID id) {
      return room(ID, 2 * Long.BYTES)
          .putLong(id.getMostSignificantBits())
          .putLong(id.getLeastSignificantBits())
          .array();
    } else if (object instanceof Instant moment) {
      return room(INSTANT, Long.BYTES + Integer.BYTES)
          .putLong(moment.getEpochSecond())
          .putInt(moment.getNano())
          .array();
    } else if (object instanceof Duration time) {
      return room(DURATION, Long.BYTES + Integer.BYTES)
          .putLong(time.getSeconds())
          .putInt(time.getNano())
          .array();
    } else if (object instanceof LocalDate day) {
      return room(DAY, Long.BYTES).putLong(day.toEpochDay()).array();
    } else if (object instanceof LocalTime time) {
      return room(TIME, Long.BYTES).putLong(time.toNanoOfDay()).array();
    } else if (object instanceof LocalDateTime moment) {
      return room(DAY_TIME, 2 * Long.BYTES)
          .putLong(moment.toLocalDate().toEpochDay())
          .putLong(moment.toLocalTime().toNanoOfDay())
          .array();
    } else if (is(object, Date.class)) {
      return room(DATE, Long.BYTES).putLong(((Date) object).getTime()).array();
    }
    return null;
  }

  /** Whether it is of this class, and not of one below it, which may have more. */
  private static boolean is(Object object, Class<?> type) {
    return object != null && object.getClass() == type;
  }

  private static ByteBuffer room(byte tag, int bytes) {
    return ByteBuffer.allocate(1 + bytes).put(tag);
  }

  private static byte[] tagged(byte tag, byte[] bytes) {
    return room(tag, bytes.length).put(bytes).array();
  }

  private static byte[] text(String text) {
    try {
      ByteBuffer bytes = UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return room(TEXT, bytes.remaining()).put(bytes).array();
    } catch (CharacterCodingException e) {
      byte[] bytes = new byte[1 + Character.BYTES * text.length()];
      bytes[0] = TEXT_16;
      ByteBuffer.wrap(bytes).position(1).asCharBuffer().put(text);
      return bytes;
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public T decode(byte[] bytes) {
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      byte tag = in.get();
      return tag == SERIALIZED ? others.decode(rest(in)) : (T) plain(tag, in);
    } catch (BufferUnderflowException | NumberFormatException | DateTimeException e) {
      throw new CacheException(
          "What the cache has was not written by a cache without codecs: " + e, e);
    }
  }

  @SuppressWarnings("JavaUtilDate")
  private static Object plain(byte tag, ByteBuffer in) {
    return switch (tag) {
      case TEXT -> new String(rest(in), UTF_8);
      case TEXT_16 -> text16(in);
      case INT -> in.getInt();
      case LONG -> in.getLong();
      case SHORT -> in.getShort();
      case BYTE -> in.get();
      case CHAR -> in.getChar();
      case BOOLEAN -> in.get() != 0;
      case DOUBLE -> Double.longBitsToDouble(in.getLong());
      case FLOAT -> Float.intBitsToFloat(in.getInt());
      case BYTES -> rest(in);
      case BIG_INTEGER -> new BigInteger(rest(in));
      case BIG_DECIMAL -> bigDecimal(in);
      case ID -> new UUID(in.getLong(), in.getLong());
      case INSTANT -> Instant.ofEpochSecond(in.getLong(), in.getInt());
      case DURATION -> Duration.ofSeconds(in.getLong(), in.getInt());
      case DAY -> LocalDate.ofEpochDay(in.getLong());
      case TIME -> LocalTime.ofNanoOfDay(in.getLong());
      case DAY_TIME ->
          LocalDateTime.of(LocalDate.ofEpochDay(in.getLong()), LocalTime.ofNanoOfDay(in.getLong()));
      case DATE -> new Date(in.getLong());
      default ->
          throw new CacheException(
              "What the cache has is of a kind " + tag + ", which this version does not know");
    };
  }

  private static String text16(ByteBuffer in) {
    char[] text = new char[in.remaining() / Character.BYTES];
    in.asCharBuffer().get(text);
    return String.valueOf(text);
  }

  private static BigDecimal bigDecimal(ByteBuffer in) {
    int scale = in.getInt();
    return new BigDecimal(new BigInteger(rest(in)), scale);
  }

  private static byte[] rest(ByteBuffer in) {
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    return rest;
  }
}
