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
package org.orcagrid.client.map;

/**
 * A change of a key as it became visible at a node.
 *
 * @param kind what has changed
 * @param key the key
 * @param before the value that was visible before; null if there was none, or what there was is not
 *     known since it was not visible when listening began
 * @param value the value that is visible now, null if there is none
 * @param here whether it was written through this node, or from outside through this {@link
 *     org.orcagrid.client.RemoteGrid}; nobody writes that a lifetime is over
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public record MapChange<K, V>(Kind kind, K key, V before, V value, boolean here) {

  /** What has changed. */
  public enum Kind {
    /** A key without a value has got one. */
    CREATED,
    /** A key has got another value, or the same one again. */
    UPDATED,
    /** A key's value was taken away. */
    REMOVED,
    /** The lifetime of a key's value is over. */
    EXPIRED
  }
}
