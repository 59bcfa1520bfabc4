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
package org.orcagrid.server.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a snapshot's file holds: its length and the SHA-256 of its bytes; and when it was written.
 *
 * <p>A strong digest, and not another checksum: whoever has the file can verify it with {@code
 * sha256sum}, and reading and applying a snapshot takes several times as long as this.
 *
 * @param length in bytes
 * @param sha256 in hexadecimal digits
 * @param modifiedMillis the file's time of modification: damage leaves it as it was, a program that
 *     writes the file again does not
 */
record SnapshotDigest(long length, String sha256, long modifiedMillis) {

  private static final int BUFFER_BYTES = 1 << 16;

  static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }

  static SnapshotDigest of(long length, MessageDigest digest, Path file) throws IOException {
    return new SnapshotDigest(
        length,
        HexFormat.of().formatHex(digest.digest()),
        Files.getLastModifiedTime(file).toMillis());
  }

  /** Of what is in {@code file} now. */
  static SnapshotDigest of(Path file) throws IOException {
    MessageDigest digest = newSha256();
    byte[] buffer = new byte[BUFFER_BYTES];
    long length = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
        length += read;
      }
    }
    return of(length, digest, file);
  }

  boolean sameBytes(SnapshotDigest other) {
    return length == other.length && sha256.equals(other.sha256);
  }

  @Override
  public String toString() {
    return length + " bytes with SHA-256 " + sha256;
  }
}
