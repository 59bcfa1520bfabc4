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
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

/** Key stores with a certificate for this machine, made with the JDK's keytool. */
public final class TestCertificates {
  private static final String PASSWORD = "a password";
  private static final String NAME = "node";

  private TestCertificates() {}

  /** Whoever has these settings trusts nobody else. */
  public static TlsSettings make(Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    Files.createDirectories(folder);
    Path keys = folder.resolve("keys.p12");
    makeKey(keys);
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry(
        NAME, KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray()).getCertificate(NAME));
    Path trusted = folder.resolve("trust.p12");
    try (OutputStream out = Files.newOutputStream(trusted)) {
      trust.store(out, PASSWORD.toCharArray());
    }
    return new TlsSettings(keys, PASSWORD, trusted, PASSWORD, true);
  }

  private static void makeKey(Path keys) throws IOException, InterruptedException {
    // In the lab's guest the compiler for hot code doubles the time.
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-J-XX:TieredStopAtLevel=1",
            "-genkeypair",
            "-alias",
            NAME,
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=dns:localhost,ip:127.0.0.1",
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            keys.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool has failed: " + output);
    }
  }
}
