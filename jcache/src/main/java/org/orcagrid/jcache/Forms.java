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

import java.util.Objects;

/** A cache's keys and values: their types and their bytes. Safe for use by many threads. */
final class Forms<K, V> {
  private final Class<K> keyType;
  private final Class<V> valueType;
  private final Form<K> keys;
  private final Form<V> values;

  Forms(Class<K> keyType, Class<V> valueType, Form<K> keys, Form<V> values) {
    this.keyType = keyType;
    this.valueType = valueType;
    this.keys = keys;
    this.values = values;
  }

  /**
   * A key's bytes.
   *
   * @throws NullPointerException if there is none
   * @throws ClassCastException if it is not of the cache's type
   */
  EntryKey key(K key) {
    Objects.requireNonNull(key, "A key cannot be null");
    requireType(keyType, key, "key");
    return new EntryKey(keys.encode(key));
  }

  K key(EntryKey key) {
    return keys.decode(key.bytes());
  }

  /**
   * A value's bytes.
   *
   * @throws NullPointerException if there is none
   * @throws ClassCastException if it is not of the cache's type
   */
  byte[] value(V value) {
    Objects.requireNonNull(value, "A value cannot be null; remove takes one away");
    requireType(valueType, value, "value");
    return values.encode(value);
  }

  V value(Stored stored) {
    return stored == null ? null : values.decode(stored.value());
  }

  /** Whether an entry has a value: the same bytes, or one that equals it. */
  boolean has(Stored stored, byte[] bytes, V value) {
    return stored.hasValue(bytes) || Objects.equals(value(stored), value);
  }

  private static void requireType(Class<?> type, Object object, String what) {
    if (!type.isInstance(object)) {
      throw new ClassCastException(
          "A "
              + what
              + " of this cache is a "
              + type.getName()
              + ", not a "
              + object.getClass().getName());
    }
  }
}
