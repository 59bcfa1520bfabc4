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
package org.orcagrid.upstream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The key stores that upstream's TLS tests read from their source tree and that the test jar lacks.
 *
 * <p>The tests ask for file names, a password, a subject and a certificate that the trust store
 * knows, so keytool makes them afresh; a key would have no business in a repository anyway.
 */
final class KeyStores {
  /** Where the tests look, below their working directory. */
  private static final Path EXPECTED = Path.of("src", "test", "resources", "data", "ssl");

  private static final String KEYS = "testKeyStore.jks";
  private static final String TRUST = "testTrustStore.jks";
  private static final String UNTRUSTED_KEYS = "testUntrustedKeyStore.jks";

  /** Whom CommandAuthTest lets in. */
  private static final String SUBJECT =
      "CN=localhost,OU=ZooKeeper,O=Apache,L=Unknown,ST=Unknown,C=Unknown";

  private static final String PASSWORD = "testpass";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Path directory;

  KeyStores(Path directory) {
    this.directory = directory;
  }

  /** Makes the stores unless an earlier run did. */
  void create() throws IOException, InterruptedException {
    if (Files.exists(directory.resolve(TRUST))) {
      return;
    }
    Files.createDirectories(directory);
    makeKey(KEYS);
    makeKey(UNTRUSTED_KEYS);
    String certificate = directory.resolve("certificate.der").toString();
    keytool(KEYS, "-exportcert", "-alias", "test", "-file", certificate);
    keytool(TRUST, "-importcert", "-noprompt", "-alias", "test", "-file", certificate);
  }

  /** Puts the stores where a test with this working directory looks for them. */
  void copyInto(Path workingDirectory) throws IOException {
    Path expected = Files.createDirectories(workingDirectory.resolve(EXPECTED));
    for (String store : List.of(KEYS, TRUST, UNTRUSTED_KEYS)) {
      Files.copy(directory.resolve(store), expected.resolve(store));
    }
  }

  private void makeKey(String store) throws IOException, InterruptedException {
    String arguments = "-genkeypair -alias test -keyalg RSA -validity 365 -dname " + SUBJECT;
    keytool(store, (arguments + " -keypass " + PASSWORD).split(" "));
  }

  private void keytool(String store, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-keystore", directory.resolve(store).toString()));
    command.addAll(List.of("-storetype", "JKS", "-storepass", PASSWORD));
    Path log = directory.resolve("keytool.log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    process.getOutputStream().close(); // so that a question ends it instead of hanging it
    if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
      throw new IOException("keytool does not end, see " + log);
    }
    if (process.exitValue() != 0) {
      throw new IOException("keytool failed, see " + log);
    }
  }
}
