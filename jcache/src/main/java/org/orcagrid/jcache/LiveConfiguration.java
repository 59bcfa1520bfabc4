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

import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;

/**
 * A cache's own copy of its configuration, which only its manager changes. Safe for many threads.
 */
final class LiveConfiguration<K, V> {
  private final MutableConfiguration<K, V> own;

  LiveConfiguration(Configuration<K, V> given) {
    this.own = copy(given);
    if (!own.isStoreByValue()) {
      throw new UnsupportedOperationException(
          "A cache of a grid stores by value, as other nodes cannot have references to its"
              + " objects; leave out setStoreByValue(false)");
    }
  }

  private static <K, V> MutableConfiguration<K, V> copy(Configuration<K, V> given) {
    if (given instanceof OrcaConfiguration<K, V> orca) {
      return new OrcaConfiguration<>(orca);
    } else if (given instanceof CompleteConfiguration<K, V> complete) {
      return new MutableConfiguration<>(complete);
    }
    return new MutableConfiguration<K, V>()
        .setTypes(given.getKeyType(), given.getValueType())
        .setStoreByValue(given.isStoreByValue());
  }

  /** A copy of the moment. */
  synchronized CompleteConfiguration<K, V> now() {
    return copy(own);
  }

  synchronized void statisticsEnabled(boolean enabled) {
    own.setStatisticsEnabled(enabled);
  }

  synchronized void managementEnabled(boolean enabled) {
    own.setManagementEnabled(enabled);
  }

  /**
   * Notes a listener.
   *
   * @throws IllegalArgumentException if there is the same already
   */
  synchronized void add(CacheEntryListenerConfiguration<K, V> listener) {
    own.addCacheEntryListenerConfiguration(listener);
  }

  synchronized void remove(CacheEntryListenerConfiguration<K, V> listener) {
    own.removeCacheEntryListenerConfiguration(listener);
  }
}
