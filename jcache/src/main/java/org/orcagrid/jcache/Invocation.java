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

import javax.cache.processor.MutableEntry;

/**
 * An entry as an entry processor sees it. What the processor does to it is gathered, and its net
 * effect is done when it has returned.
 */
final class Invocation<K, V> implements MutableEntry<K, V> {
  /** What the processor has done to the entry, as far as it can be seen from outside. */
  private enum Effect {
    NONE,
    READ,
    LOADED,
    CREATED,
    UPDATED,
    REMOVED
  }

  private final K key;
  private final Stored present;
  private final Forms<K, V> forms;
  private final Loader<K, V> loader;

  private Effect effect = Effect.NONE;
  private V value;
  private byte[] bytes;

  /** An entry with what it has, null for nothing. */
  Invocation(K key, Stored present, Forms<K, V> forms, Loader<K, V> loader) {
    this.key = key;
    this.present = present;
    this.forms = forms;
    this.loader = loader;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public boolean exists() {
    return switch (effect) {
      case NONE, READ -> present != null;
      case LOADED, CREATED, UPDATED -> true;
      case REMOVED -> false;
    };
  }

  @Override
  public V getValue() {
    if (effect != Effect.NONE) {
      return value;
    }
    if (present != null) {
      value = forms.value(present);
      effect = Effect.READ;
    } else if (loader.isReadThrough()) {
      V loaded = loader.load(key);
      if (loaded != null) {
        bytes = forms.value(loaded);
        value = loaded;
        effect = Effect.LOADED;
      }
    }
    return value;
  }

  @Override
  public void setValue(V next) {
    bytes = forms.value(next);
    value = next;
    effect = present == null ? Effect.CREATED : Effect.UPDATED;
  }

  @Override
  public void remove() {
    value = null;
    bytes = null;
    // What was made here and is gone again was never there.
    effect = effect == Effect.CREATED ? Effect.NONE : Effect.REMOVED;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrap.as(type, this);
  }

  /** The net effect, told to the writer if it is not a load. */
  EntryEdit change(Writer<K, V> writer) {
    switch (effect) {
      case CREATED, UPDATED -> writer.write(key, value);
      case REMOVED -> writer.delete(key);
      default -> {}
    }
    return switch (effect) {
      case NONE -> EntryEdit.NONE;
      case READ -> EntryEdit.TOUCH;
      case LOADED, CREATED, UPDATED -> EntryEdit.put(bytes);
      case REMOVED -> EntryEdit.REMOVE;
    };
  }

  /** Whether a value is put that a program has set. */
  boolean isPut() {
    return effect == Effect.CREATED || effect == Effect.UPDATED;
  }
}
