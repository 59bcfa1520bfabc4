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
package org.orcagrid.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What all nodes of a grid know and nobody else does. Two that meet prove it to each other by
 * HMAC-SHA256 over a random number of each: neither sends it, and what was recorded proves nothing
 * a second time. It tells who connects; it does not encrypt what they say afterwards.
 */
public final class GridSecret {
  static final int NONCE_BYTES = 32;
  static final int PROOF_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES_MIN = 16;
  private static final int BYTES_MAX = 4096;
  private static final String FIX = "; make one: (umask 077; head -c 32 /dev/urandom | base64 > ";

  private final SecretKeySpec key;
  private final SecureRandom random = new SecureRandom();

  /** Who proves what: neither side's proof is good for the other one. */
  enum Side {
    /** Who connects, before it is accepted. */
    CONNECTS("orca-grid connects"),
    /** Who was connected to, with its acceptance. */
    ACCEPTS("orca-grid accepts ");

    private final String label;

    Side(String label) {
      this.label = label;
    }
  }

  private GridSecret(byte[] bytes) {
    this.key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /**
   * Reads a secret. White space at its end does not belong to it.
   *
   * @throws IOException if there is none, it is too short, or others than its owner may read it; it
   *     names the file and what to do
   */
  public static GridSecret read(Path file) throws IOException {
    requirePrivate(file);
    byte[] all = Files.readAllBytes(file);
    int length = all.length;
    while (length > 0 && Character.isWhitespace(all[length - 1])) {
      length--;
    }
    if (length < BYTES_MIN || length > BYTES_MAX) {
      throw new IOException(
          "The secret in "
              + file
              + " has "
              + length
              + " bytes, where "
              + BYTES_MIN
              + " to "
              + BYTES_MAX
              + " are asked for (grid.secret.file)"
              + fix(file));
    }
    return new GridSecret(Arrays.copyOf(all, length));
  }

  private static void requirePrivate(Path file) throws IOException {
    Set<PosixFilePermission> others;
    try {
      others = EnumSet.noneOf(PosixFilePermission.class);
      others.addAll(Files.getPosixFilePermissions(file));
    } catch (NoSuchFileException e) {
      throw new IOException("There is no secret in " + file + " (grid.secret.file)" + fix(file), e);
    } catch (UnsupportedOperationException e) {
      // A file system without owners; who may read it is the operator's to know.
      return;
    }
    others.removeAll(PosixFilePermissions.fromString("rwx------"));
    if (!others.isEmpty()) {
      throw new IOException(
          "Others than its owner may use the secret in "
              + file
              + " (grid.secret.file); run chmod 600 "
              + file);
    }
  }

  private static String fix(Path file) {
    return FIX + file + ")";
  }

  /** A number that nobody can foresee. */
  byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }

  /**
   * What only those who know the secret can say.
   *
   * @param nonce of who was connected to
   * @param greeting of who connects, with its own nonce and all that it says of itself
   * @param grid of who accepts; 0 from who connects
   */
  byte[] proof(Side side, byte[] nonce, byte[] greeting, long grid) {
    Mac mac = mac();
    mac.update(side.label.getBytes(StandardCharsets.US_ASCII));
    mac.update(nonce);
    mac.update(ByteBuffer.allocate(Long.BYTES).putLong(0, grid));
    return mac.doFinal(greeting);
  }

  /**
   * What nodes show the ensemble that agrees on their views: it follows from the secret, and the
   * secret does not follow from it. It is the same at each connection, so that whoever reads along
   * can show it, too.
   */
  public String ofEnsemble(String grid) {
    Mac mac = mac();
    mac.update("ensemble".getBytes(StandardCharsets.US_ASCII));
    return HexFormat.of().formatHex(mac.doFinal(grid.getBytes(StandardCharsets.UTF_8)));
  }

  private Mac mac() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This JDK lacks " + ALGORITHM, e);
    }
  }

  /** Whether that is the proof; takes as long for any that is not. */
  boolean isProof(byte[] shown, Side side, byte[] nonce, byte[] greeting, long grid) {
    return MessageDigest.isEqual(shown, proof(side, nonce, greeting, grid));
  }

  @Override
  public String toString() {
    return "a secret";
  }
}
