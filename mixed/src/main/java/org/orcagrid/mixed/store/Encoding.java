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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Levels;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.Tombstone;
import org.orcagrid.mixed.track.Tracked;
import org.orcagrid.mixed.track.VectorClock;
import org.orcagrid.mixed.track.Version;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How stores keep values and what belongs to them, in bytes. Values are texts, whole and decimal
 * numbers, truth values, bytes, instants, UUIDs, and lists, sets and maps of these; keys are texts,
 * whole numbers, and rows of tables.
 */
public final class Encoding {
  private static final Logger LOG = LoggerFactory.getLogger(Encoding.class);
  private static final int NULL = 0;
  private static final int TEXT = 1;
  private static final int LONG = 2;
  private static final int INT = 3;
  private static final int DOUBLE = 4;
  private static final int TRUE = 5;
  private static final int FALSE = 6;
  private static final int BYTES = 7;
  private static final int LIST = 8;
  private static final int SET = 9;
  private static final int MAP = 10;
  private static final int DECIMAL = 11;
  private static final int INSTANT = 12;
  private static final int UUID_TYPE = 13;

  private final Operations operations;

  /** One for stores that do these. */
  public Encoding(Operations operations) {
    this.operations = operations;
  }

  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private interface Reading<T> {
    T from(DataInputStream in) throws IOException;
  }

  private static byte[] written(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static <T> T read(byte[] bytes, Reading<T> reading) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return reading.from(in);
    } catch (IOException e) {
      throw new UncheckedIOException("A store has what this version does not know", e);
    }
  }

  // --- keys --------------------------------------------------------------------------------------

  /**
   * An object's key as a text.
   *
   * @throws IllegalTransactionException if it is of another type
   */
  public static String key(StoredObject object) {
    Object key = object.key();
    if (key instanceof String) {
      return "s" + key;
    } else if (key instanceof Long) {
      return "l" + key;
    } else if (key instanceof Integer) {
      return "i" + key;
    } else if (key instanceof RowKey) {
      return "r" + key;
    }
    throw new IllegalTransactionException(
        object + " has a key of " + key.getClass() + "; use a text or a whole number");
  }

  /** The key with a text. */
  public static Object key(String text) {
    String rest = text.substring(1);
    return switch (text.charAt(0)) {
      case 's' -> rest;
      case 'l' -> Long.valueOf(rest);
      case 'i' -> Integer.valueOf(rest);
      case 'r' -> RowKey.parse(rest);
      default -> throw new IllegalArgumentException(text + " is no key of a stored object");
    };
  }

  // --- values ------------------------------------------------------------------------------------

  /**
   * A value in bytes.
   *
   * @throws IllegalTransactionException if it is of another type
   */
  public byte[] value(Object value) {
    return written(out -> put(out, value));
  }

  /** The value with these bytes; null for null. */
  public Object value(byte[] bytes) {
    return bytes == null ? null : read(bytes, this::get);
  }

  private void put(DataOutputStream out, Object value) throws IOException {
    if (value == null) {
      out.writeByte(NULL);
    } else if (value instanceof String text) {
      out.writeByte(TEXT);
      putBytes(out, text.getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof Long number) {
      out.writeByte(LONG);
      out.writeLong(number);
    } else if (value instanceof Integer number) {
      out.writeByte(INT);
      out.writeInt(number);
    } else if (value instanceof Double number) {
      out.writeByte(DOUBLE);
      out.writeDouble(number);
    } else if (value instanceof Boolean is) {
      out.writeByte(is ? TRUE : FALSE);
    } else if (value instanceof byte[] bytes) {
      out.writeByte(BYTES);
      putBytes(out, bytes);
    } else {
      putMore(out, value);
    }
  }

  private void putMore(DataOutputStream out, Object value) throws IOException {
    if (value instanceof BigDecimal number) {
      out.writeByte(DECIMAL);
      putBytes(out, number.toString().getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof Instant instant) {
      out.writeByte(INSTANT);
      out.writeLong(instant.getEpochSecond());
      out.writeInt(instant.getNano());
    } else if (value instanceof UUID uuid) {
      out.writeByte(UUID_TYPE);
      out.writeLong(uuid.getMostSignificantBits());
      out.writeLong(uuid.getLeastSignificantBits());
    } else {
      putMany(out, value);
    }
  }

  private void putMany(DataOutputStream out, Object value) throws IOException {
    if (value instanceof Map<?, ?> map) {
      out.writeByte(MAP);
      out.writeInt(map.size());
      for (Map.Entry<?, ?> each : map.entrySet()) {
        put(out, each.getKey());
        put(out, each.getValue());
      }
    } else if (value instanceof List<?> || value instanceof Set<?>) {
      out.writeByte(value instanceof List<?> ? LIST : SET);
      Iterable<?> all = (Iterable<?>) value;
      out.writeInt(((java.util.Collection<?>) value).size());
      for (Object each : all) {
        put(out, each);
      }
    } else {
      throw new IllegalTransactionException(
          value.getClass()
              + " cannot be stored; map it to texts, numbers, and lists, sets or maps of them");
    }
  }

  private Object get(DataInputStream in) throws IOException {
    int type = in.readByte();
    return switch (type) {
      case NULL -> null;
      case TEXT -> new String(getBytes(in), StandardCharsets.UTF_8);
      case LONG -> in.readLong();
      case INT -> in.readInt();
      case DOUBLE -> in.readDouble();
      case TRUE -> true;
      case FALSE -> false;
      case BYTES -> getBytes(in);
      case LIST -> getAll(in, new ArrayList<>());
      case SET -> getAll(in, new LinkedHashSet<>());
      case MAP -> getMap(in);
      case DECIMAL -> new BigDecimal(new String(getBytes(in), StandardCharsets.UTF_8));
      case INSTANT -> Instant.ofEpochSecond(in.readLong(), in.readInt());
      case UUID_TYPE -> new UUID(in.readLong(), in.readLong());
      default -> throw new IOException("There is no type " + type);
    };
  }

  private Object getAll(DataInputStream in, java.util.Collection<Object> into) throws IOException {
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      into.add(get(in));
    }
    return into;
  }

  private Object getMap(DataInputStream in) throws IOException {
    int size = in.readInt();
    Map<Object, Object> all = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      Object key = get(in);
      all.put(key, get(in));
    }
    return all;
  }

  private static void putBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] getBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("It ends too early");
    }
    return bytes;
  }

  // --- what comes with them ----------------------------------------------------------------------

  /** A context in bytes; null if it says nothing. */
  public byte[] context(Context context) {
    return context.isEmpty() ? null : written(out -> put(out, context));
  }

  /** The context with these bytes. */
  public Context context(byte[] bytes) {
    return bytes == null ? Context.NONE : read(bytes, this::getContext);
  }

  private void put(DataOutputStream out, Context context) throws IOException {
    out.writeInt(context.tombstones().size());
    for (Map.Entry<String, Tombstone> each : context.tombstones().entrySet()) {
      out.writeUTF(each.getKey());
      put(out, each.getValue());
    }
    out.writeInt(context.together().size());
    for (Map.Entry<StoredObject, Context.Stamp> each : context.together().entrySet()) {
      put(out, each.getKey());
      out.writeLong(each.getValue().version());
      out.writeLong(each.getValue().millis());
    }
  }

  private Context getContext(DataInputStream in) throws IOException {
    Map<String, Tombstone> tombstones = new HashMap<>();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      String store = in.readUTF();
      tombstones.put(store, getTombstone(in));
    }
    Map<StoredObject, Context.Stamp> together = new HashMap<>();
    size = in.readInt();
    for (int i = 0; i < size; i++) {
      StoredObject object = getObject(in);
      long version = in.readLong();
      together.put(object, new Context.Stamp(version, in.readLong()));
    }
    return new Context(tombstones, together);
  }

  private static void put(DataOutputStream out, Tombstone tombstone) throws IOException {
    putClock(out, tombstone.past());
    out.writeUTF(tombstone.address());
    out.writeInt(tombstone.pending().size());
    for (TransactionId each : tombstone.pending()) {
      out.writeUTF(each.toString());
    }
  }

  private static Tombstone getTombstone(DataInputStream in) throws IOException {
    VectorClock past = getClock(in);
    String address = in.readUTF();
    Set<TransactionId> pending = new HashSet<>();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      pending.add(TransactionId.parse(in.readUTF()));
    }
    return new Tombstone(past, address, pending);
  }

  private static void putClock(DataOutputStream out, VectorClock clock) throws IOException {
    out.writeInt(clock.counts().size());
    for (Map.Entry<String, Long> each : clock.counts().entrySet()) {
      out.writeUTF(each.getKey());
      out.writeLong(each.getValue());
    }
  }

  private static VectorClock getClock(DataInputStream in) throws IOException {
    Map<String, Long> counts = new HashMap<>();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      String group = in.readUTF();
      counts.put(group, in.readLong());
    }
    return new VectorClock(counts);
  }

  private static void put(DataOutputStream out, StoredObject object) throws IOException {
    out.writeUTF(object.store());
    out.writeUTF(Levels.name(object.level()));
    out.writeUTF(key(object));
  }

  private static StoredObject getObject(DataInputStream in) throws IOException {
    String store = in.readUTF();
    String level = in.readUTF();
    return new StoredObject(store, Levels.named(level), key(in.readUTF()));
  }

  // --- transactions ------------------------------------------------------------------------------

  /** What is left of a transaction once it is decided, in bytes. */
  public byte[] intent(Intent intent) {
    return written(out -> put(out, intent));
  }

  /**
   * The intent with these bytes, for a worker: nothing if it cannot be read here, as by one that
   * does not know a change. It is logged then, and others are finished meanwhile.
   *
   * @param where it is kept
   */
  public Optional<Intent> readableIntent(byte[] bytes, Traits where) {
    try {
      return Optional.of(intent(bytes));
    } catch (RuntimeException e) {
      LOG.warn("An intent at {} cannot be read here; others are finished meanwhile", where, e);
      return Optional.empty();
    }
  }

  /** The intent with these bytes. */
  public Intent intent(byte[] bytes) {
    return read(bytes, this::getIntent);
  }

  private void put(DataOutputStream out, Intent intent) throws IOException {
    out.writeUTF(intent.id().toString());
    out.writeInt(intent.prepared().size());
    for (String each : intent.prepared()) {
      out.writeUTF(each);
    }
    out.writeInt(intent.parts().size());
    for (Part each : intent.parts()) {
      put(out, each);
    }
  }

  private Intent getIntent(DataInputStream in) throws IOException {
    TransactionId id = TransactionId.parse(in.readUTF());
    List<String> prepared = new ArrayList<>();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      prepared.add(in.readUTF());
    }
    List<Part> parts = new ArrayList<>();
    size = in.readInt();
    for (int i = 0; i < size; i++) {
      parts.add(getPart(in));
    }
    return new Intent(id, prepared, parts);
  }

  private void put(DataOutputStream out, Part part) throws IOException {
    out.writeUTF(part.group());
    out.writeBoolean(part.after() != null);
    if (part.after() != null) {
      put(out, part.after());
    }
    out.writeInt(part.writes().size());
    for (Part.Write each : part.writes()) {
      put(out, each.object());
      String operation = each.operation() == null ? "" : each.operation().name();
      if (!operation.isEmpty()) {
        operations.named(operation);
      }
      out.writeUTF(operation);
      put(out, each.value());
      put(out, each.context());
    }
  }

  private Part getPart(DataInputStream in) throws IOException {
    String group = in.readUTF();
    Tombstone after = in.readBoolean() ? getTombstone(in) : null;
    List<Part.Write> writes = new ArrayList<>();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      StoredObject object = getObject(in);
      String operation = in.readUTF();
      Object value = get(in);
      writes.add(
          new Part.Write(
              object,
              operation.isEmpty() ? null : operations.named(operation),
              value,
              getContext(in)));
    }
    return new Part(group, writes, Map.of(), after);
  }

  // --- what stores keep under one key ------------------------------------------------------------

  /** An object with its version and context, in bytes. */
  public byte[] object(long version, Object value, Context context) {
    byte[] its = context(context);
    return written(
        out -> {
          out.writeLong(version);
          out.writeInt(its == null ? 0 : its.length);
          if (its != null) {
            out.write(its);
          }
          put(out, value);
        });
  }

  /** The object with these bytes; nothing for null. */
  public Found object(byte[] bytes) {
    if (bytes == null) {
      return Found.NOTHING;
    }
    return read(
        bytes,
        in -> {
          long version = in.readLong();
          byte[] context = in.readNBytes(in.readInt());
          Object value = get(in);
          return new Found(
              value, version, VectorClock.NONE, context(context.length == 0 ? null : context));
        });
  }

  /** What was decided, in bytes. */
  public static byte[] decision(Reply reply) {
    return written(
        out -> {
          out.writeUTF(reply.answer().name());
          out.writeInt(reply.together().size());
          for (Map.Entry<StoredObject, Context.Stamp> each : reply.together().entrySet()) {
            put(out, each.getKey());
            out.writeLong(each.getValue().version());
            out.writeLong(each.getValue().millis());
          }
        });
  }

  /** The decision with these bytes. */
  public static Reply decision(byte[] bytes) {
    return read(
        bytes,
        in -> {
          Answer answer = Answer.valueOf(in.readUTF());
          int size = in.readInt();
          Map<StoredObject, Context.Stamp> together = new HashMap<>();
          for (int i = 0; i < size; i++) {
            StoredObject object = getObject(in);
            long version = in.readLong();
            together.put(object, new Context.Stamp(version, in.readLong()));
          }
          return new Reply(answer, VectorClock.NONE, together);
        });
  }

  // --- what clients tell each other --------------------------------------------------------------

  /** What a client tells another one, in bytes; its versions stand on nothing else. */
  public byte[] tracked(Tracked tracked) {
    return written(
        out -> {
          putClock(out, tracked.seen());
          out.writeInt(tracked.settled().size());
          for (Map.Entry<TransactionId, VectorClock> each : tracked.settled().entrySet()) {
            out.writeUTF(each.getKey().toString());
            putClock(out, each.getValue());
          }
          out.writeInt(tracked.versions().size());
          for (Map.Entry<Object, Version> each : tracked.versions().entrySet()) {
            put(out, (StoredObject) each.getKey());
            put(out, each.getValue().value());
            putClock(out, each.getValue().clock());
          }
        });
  }

  /** What another client has told with these bytes. */
  public Tracked tracked(byte[] bytes) {
    return read(
        bytes,
        in -> {
          VectorClock seen = getClock(in);
          Map<TransactionId, VectorClock> settled = new HashMap<>();
          int size = in.readInt();
          for (int i = 0; i < size; i++) {
            TransactionId id = TransactionId.parse(in.readUTF());
            settled.put(id, getClock(in));
          }
          Map<Object, Version> versions = new HashMap<>();
          size = in.readInt();
          for (int i = 0; i < size; i++) {
            StoredObject object = getObject(in);
            Object value = get(in);
            versions.put(object, new Version(value, getClock(in)));
          }
          return new Tracked(seen, settled, versions);
        });
  }
}
