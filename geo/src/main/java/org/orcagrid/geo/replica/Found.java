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

/** What a replica has of a key. Immutable. */
public final class Found {
  /** Nothing. */
  public static final Found NOTHING = new Found(Version.NONE, null);

  private final Version version;
  private final byte[] value;

  /** A version; {@code value} is null if the key has none. */
  public Found(Version version, byte[] value) {
    this.version = version;
    this.value = value;
  }

  /** Which write it is of; {@link Version#NONE} for none. */
  public Version version() {
    return version;
  }

  /** The value, not to be changed; null if there is none. */
  public byte[] value() {
    return value;
  }
}
