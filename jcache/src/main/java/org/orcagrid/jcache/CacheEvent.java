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

import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;

/** An event as one listener gets it, with objects of its own. */
final class CacheEvent<K, V> extends CacheEntryEvent<K, V> {
  private static final long serialVersionUID = 1;

  private final transient K key;
  private final transient V value;
  private final transient V oldValue;

  CacheEvent(Cache<K, V> source, EventType type, K key, V value, V oldValue) {
    super(source, type);
    this.key = key;
    this.value = value;
    this.oldValue = oldValue;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public V getValue() {
    return value;
  }

  @Override
  public V getOldValue() {
    return oldValue;
  }

  @Override
  public boolean isOldValueAvailable() {
    return oldValue != null;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrap.as(type, this);
  }

  @Override
  public String toString() {
    return getEventType() + " " + key + ": " + oldValue + " -> " + value;
  }
}
