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
package org.orcagrid.geo.client;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.orcagrid.client.Codec;
import org.orcagrid.client.CodecBuffer;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.replica.CommandCodec;
import org.orcagrid.geo.replica.Condition;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;
import org.orcagrid.geo.wire.Encoder;

/**
 * Keys and values of a session. Each request says what it asks for; the guarantees are for each
 * key. The forms that end in {@code Async} never wait; the others wait for them. Safe for use by
 * many threads.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class GeoView<K, V> {
  private static final int NAME_BYTES_MAX = 255;

  private final RemoteGeo geo;
  private final GeoSession session;
  private final Form<K, V> form;
  private final int datacenter;
  private final ThreadLocal<CodecBuffer> buffers = ThreadLocal.withInitial(CodecBuffer::new);

  /** What keys and values look like. */
  record Form<K, V>(String name, Codec<K> keys, Codec<V> values) {
    Form {
      int bytes = name.getBytes(StandardCharsets.UTF_8).length;
      if (bytes == 0 || bytes > NAME_BYTES_MAX) {
        throw new IllegalArgumentException(
            "A view's name has 1 to " + NAME_BYTES_MAX + " bytes, not " + bytes);
      }
    }
  }

  GeoView(RemoteGeo geo, GeoSession session, Form<K, V> form, int datacenter) {
    this.geo = geo;
    this.session = session;
    this.form = form;
    this.datacenter = datacenter;
  }

  /**
   * The same keys, asked for in another datacenter.
   *
   * @throws IllegalArgumentException if there is no such datacenter
   */
  public GeoView<K, V> at(String other) {
    int found = geo.plan().datacenter(other);
    if (found < 0) {
      throw new IllegalArgumentException(
          "There is no datacenter " + other + ", but " + geo.datacenters());
    }
    return new GeoView<>(geo, session, form, found);
  }

  // --- reads -------------------------------------------------------------------------------------

  /**
   * Reads a key.
   *
   * @throws GuaranteeNotMetException if what is asked for does not come in time
   * @throws GeoException if no node answers in time
   */
  public Seen<V> get(K key, ReadGuarantee guarantee) {
    return join(getAsync(key, guarantee));
  }

  /** The same, without a wait. */
  public CompletableFuture<Seen<V>> getAsync(K key, ReadGuarantee guarantee) {
    byte[] bytes = key(key);
    ReadCall call = new ReadCall(geo, session, datacenter, partitionOf(bytes), bytes, guarantee);
    return call.begin()
        .thenApply(
            answer ->
                call.seen(answer, buffers.get().decode(form.values(), answer.found().value())));
  }

  // --- writes ------------------------------------------------------------------------------------

  /**
   * Writes a value.
   *
   * @return which version it is
   * @throws OutcomeUnknownException if nobody says in time whether it was written
   * @throws GeoException if it was refused
   */
  public Version put(K key, V value, WriteGuarantee guarantee) {
    return join(putAsync(key, value, guarantee));
  }

  /** The same, without a wait. */
  public CompletableFuture<Version> putAsync(K key, V value, WriteGuarantee guarantee) {
    return write(key, value(value), null, guarantee).thenApply(Written::version);
  }

  /** Deletes a key. */
  public Version delete(K key, WriteGuarantee guarantee) {
    return join(deleteAsync(key, guarantee));
  }

  /** The same, without a wait. */
  public CompletableFuture<Version> deleteAsync(K key, WriteGuarantee guarantee) {
    return write(key, null, null, guarantee).thenApply(Written::version);
  }

  /**
   * Writes a value if the key has none in this datacenter. Between datacenters the later write
   * wins.
   */
  public Written putIfAbsent(K key, V value, WriteGuarantee guarantee) {
    return join(putIfAbsentAsync(key, value, guarantee));
  }

  /** The same, without a wait. */
  public CompletableFuture<Written> putIfAbsentAsync(K key, V value, WriteGuarantee guarantee) {
    return write(key, value(value), Condition.ABSENT, guarantee);
  }

  /**
   * Writes a value if the key still has a version in this datacenter.
   *
   * @param expected as {@link Seen#version} or a write has told
   */
  public Written replace(K key, V value, Version expected, WriteGuarantee guarantee) {
    return join(replaceAsync(key, value, expected, guarantee));
  }

  /** The same, without a wait. */
  public CompletableFuture<Written> replaceAsync(
      K key, V value, Version expected, WriteGuarantee guarantee) {
    return write(key, value(value), Condition.is(expected), guarantee);
  }

  private CompletableFuture<Written> write(
      K key, byte[] value, Condition condition, WriteGuarantee guarantee) {
    byte[] bytes = key(key);
    return new WriteCall(geo, session, datacenter, partitionOf(bytes), guarantee)
        .begin(bytes, value, condition);
  }

  /** What a read would wait for now, and what its guarantee means: some sentences for people. */
  public String explain(K key, ReadGuarantee guarantee) {
    int partition = partitionOf(key(key));
    return Explanation.ofRead(
        geo, datacenter, partition, guarantee, session.requirement(partition, guarantee));
  }

  /** What a write would win over now: some sentences for people. */
  public String explain(K key, WriteGuarantee guarantee) {
    int partition = partitionOf(key(key));
    return Explanation.ofWrite(
        geo, datacenter, partition, guarantee, session.dependency(guarantee));
  }

  // --- bytes -------------------------------------------------------------------------------------

  private byte[] key(K key) {
    byte[] name = form.name().getBytes(StandardCharsets.UTF_8);
    byte[] own = buffers.get().encode(form.keys(), key);
    byte[] all = new Encoder().putByte(name.length).putRaw(name).putRaw(own).toBytes();
    if (all.length > CommandCodec.KEY_BYTES_MAX) {
      throw new IllegalArgumentException(
          "A key has at most "
              + (CommandCodec.KEY_BYTES_MAX - 1 - name.length)
              + " bytes beside the view's name, not "
              + own.length);
    }
    return all;
  }

  private byte[] value(V value) {
    byte[] bytes = buffers.get().encode(form.values(), value);
    if (bytes == null) {
      throw new NullPointerException("A value is not null; delete takes it away");
    }
    if (bytes.length > CommandCodec.VALUE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "A value has at most " + CommandCodec.VALUE_BYTES_MAX + " bytes, not " + bytes.length);
    }
    return bytes;
  }

  /** Which partition a key is in: positions count the entries of its logs. */
  public int partition(K key) {
    return partitionOf(key(key));
  }

  private int partitionOf(byte[] key) {
    return (int) Long.remainderUnsigned(KeyHash.hash(key), geo.plan().partitions());
  }

  private static <T> T join(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof GeoException geo) {
        geo.setStackTrace(Thread.currentThread().getStackTrace());
        throw geo;
      }
      throw e;
    }
  }
}
