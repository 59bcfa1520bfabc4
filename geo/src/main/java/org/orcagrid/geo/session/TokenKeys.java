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
package org.orcagrid.geo.session;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The secrets that session tokens are signed with, by their ids. The first one signs; the others
 * are of tokens that were given out before it came. So keys rotate: a new one is put first, and the
 * oldest goes when its tokens have.
 */
public final class TokenKeys {
  /** The least bytes of a secret. */
  public static final int SECRET_BYTES_MIN = 16;

  private static final int ID_MAX = 255;

  private final LinkedHashMap<Integer, byte[]> secrets = new LinkedHashMap<>();

  private TokenKeys() {}

  /**
   * One key.
   *
   * @throws IllegalArgumentException if the id is not from 0 to 255, or the secret is too short
   */
  public static TokenKeys of(int id, byte[] secret) {
    return new TokenKeys().and(id, secret);
  }

  /** The same with one that does not sign. */
  public TokenKeys and(int id, byte[] secret) {
    if (id < 0 || id > ID_MAX) {
      throw new IllegalArgumentException("A key's id is from 0 to " + ID_MAX + ", not " + id);
    }
    if (secret.length < SECRET_BYTES_MIN) {
      throw new IllegalArgumentException(
          "The secret of key "
              + id
              + " has "
              + secret.length
              + " bytes; give it "
              + SECRET_BYTES_MIN
              + " at least");
    }
    if (secrets.containsKey(id)) {
      throw new IllegalArgumentException("There are two keys with the id " + id);
    }
    TokenKeys more = new TokenKeys();
    more.secrets.putAll(secrets);
    more.secrets.put(id, secret.clone());
    return more;
  }

  int signing() {
    return secrets.keySet().iterator().next();
  }

  /** The secret of a key, null if there is no such key. */
  byte[] secret(int id) {
    return secrets.get(id);
  }

  @Override
  public String toString() {
    return "keys " + Map.copyOf(secrets).keySet();
  }
}
