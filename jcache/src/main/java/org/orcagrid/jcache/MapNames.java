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

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The names of caches as names of maps: a cache's can be any text, a map's has up to 64 letters,
 * digits, dots, dashes and underscores.
 */
final class MapNames {
  private static final String PREFIX = "jcache.";
  private static final int BYTES_MAX = 64;

  private MapNames() {}

  /**
   * The map of a cache: its name with {@code _xx} for each byte of it, in UTF-8, that a map's name
   * cannot have, and for underscores. A name that is too long then begins with what fits of it and
   * ends with {@code __} and half of its SHA-256, which no shorter one does.
   */
  static String of(String cache) {
    byte[] utf8 = cache.getBytes(StandardCharsets.UTF_8);
    StringBuilder name = new StringBuilder(PREFIX);
    for (byte each : utf8) {
      char letter = (char) (each & 0xFF);
      boolean plain =
          (letter >= 'a' && letter <= 'z')
              || (letter >= 'A' && letter <= 'Z')
              || (letter >= '0' && letter <= '9')
              || letter == '.'
              || letter == '-';
      name.append(plain ? String.valueOf(letter) : "_" + HexFormat.of().toHexDigits(each));
    }
    if (name.length() <= BYTES_MAX) {
      return name.toString();
    }
    byte[] digest = sha256(utf8);
    String end = "__" + HexFormat.of().formatHex(digest, 0, digest.length / 2);
    return name.substring(0, BYTES_MAX - end.length()) + end;
  }

  private static byte[] sha256(byte[] of) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(of);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
