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
package org.orcagrid.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.orcagrid.transport.tcp.TlsSettings;

/** Key stores with a certificate for localhost, made with the JDK's keytool. */
final class TestCertificates {
  private static final String PASSWORD = "a password";

  private TestCertificates() {}

  static TlsSettings make(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Path keys = folder.resolve("keys.p12");
    Path trust = folder.resolve("trust.p12");
    Path certificate = folder.resolve("certificate.pem");
    keytool(
        "-genkeypair",
        "-alias",
        "node",
        "-keyalg",
        "EC",
        "-dname",
        "CN=localhost",
        "-ext",
        "SAN=dns:localhost",
        "-validity",
        "2",
        "-keystore",
        keys.toString());
    keytool(
        "-exportcert",
        "-rfc",
        "-alias",
        "node",
        "-keystore",
        keys.toString(),
        "-file",
        certificate.toString());
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        "node",
        "-keystore",
        trust.toString(),
        "-file",
        certificate.toString());
    return new TlsSettings(keys, PASSWORD, trust, PASSWORD, true);
  }

  private static void keytool(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new java.util.ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool has failed: " + output);
    }
  }
}
