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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a secret, right and wrong, and what is proved with it. */
class GridSecretTest {
  @TempDir private Path folder;

  static Path file(Path folder, String text, String permissions) throws IOException {
    Path file = Files.createTempFile(folder, "secret", "");
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private void assertRefused(Path file, String reason) {
    IOException e = assertThrows(IOException.class, () -> GridSecret.read(file));
    assertTrue(e.getMessage().contains(reason), e.getMessage());
    assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    assertTrue(e.getMessage().contains("grid.secret.file"), e.getMessage());
  }

  @Test
  void whatNobodyElseMayReadIsTaken() throws IOException {
    GridSecret secret = GridSecret.read(file(folder, "0123456789abcdef\n", "r--------"));
    assertFalse(secret.toString().contains("0123"));
    GridSecret same = GridSecret.read(file(folder, "0123456789abcdef", "rw-------"));
    byte[] nonce = secret.nonce();
    byte[] greeting = "who connects".getBytes(StandardCharsets.UTF_8);
    byte[] proof = secret.proof(GridSecret.Side.CONNECTS, nonce, greeting, 0);
    assertArrayEquals(proof, same.proof(GridSecret.Side.CONNECTS, nonce, greeting, 0));
    assertEquals(GridSecret.PROOF_BYTES, proof.length);
    assertTrue(same.isProof(proof, GridSecret.Side.CONNECTS, nonce, greeting, 0));
    assertFalse(same.isProof(proof, GridSecret.Side.ACCEPTS, nonce, greeting, 0));
    assertFalse(same.isProof(proof, GridSecret.Side.CONNECTS, same.nonce(), greeting, 0));
    assertFalse(same.isProof(proof, GridSecret.Side.CONNECTS, nonce, greeting, 1));
    assertFalse(same.isProof(new byte[0], GridSecret.Side.CONNECTS, nonce, greeting, 0));
    greeting[0]++;
    assertFalse(same.isProof(proof, GridSecret.Side.CONNECTS, nonce, greeting, 0));
  }

  @Test
  void whatIsNoSecretIsRefused() throws IOException {
    assertRefused(folder.resolve("nowhere"), "There is no secret in");
    assertRefused(file(folder, "0123456789abcde\n", "rw-------"), "has 15 bytes");
    String text = "0123456789abcdef";
    for (String open : new String[] {"rw-r-----", "rw----r--", "rw--w----", "rwx--x---"}) {
      assertRefused(file(folder, text, open), "Others than its owner may use");
    }
  }
}
