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
package org.orcagrid.geo.replica;

import org.orcagrid.geo.Version;

/** A key with its present version: in snapshots, and where state is sent. Immutable. */
public final class StoredVersion {
  private final byte[] key;
  private final byte[] value;
  private final Version version;

  /** A version; {@code value} is null if the key is deleted. */
  public StoredVersion(byte[] key, byte[] value, Version version) {
    this.key = key;
    this.value = value;
    this.version = version;
  }

  /** The key, not to be changed. */
  public byte[] key() {
    return key;
  }

  /** The value, not to be changed; null if the key is deleted. */
  public byte[] value() {
    return value;
  }

  /** Which write it is of. */
  public Version version() {
    return version;
  }

  /** About how many bytes it takes. */
  public int bytes() {
    return 32 + key.length + (value == null ? 0 : value.length);
  }
}
