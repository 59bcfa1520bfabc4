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
package org.orcagrid.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What makes a command the superuser of a grid's own ensemble, who alone may change its servers: a
 * file in the grid's folder that its owner alone can read. Each zoo.cfg has a digest of it.
 */
record EnsembleSecret(Path file) {
  private static final String USER = "super:";
  private static final String RECONFIG = "reconfigEnabled";
  private static final String DIGEST = "DigestAuthenticationProvider.superDigest";
  private static final String ALGORITHM = "DigestAuthenticationProvider.digestAlg";

  /** As ZooKeeper has it unless told otherwise; what is digested is random. */
  private static final String ALGORITHM_DEFAULT = "SHA1";

  private static final int BYTES = 32;

  static EnsembleSecret in(Path dir) {
    return new EnsembleSecret(dir.resolve("ensemble.secret"));
  }

  /** As ZooKeeper's clients show it; empty if there is none. */
  Optional<byte[]> credential() throws CommandFailure {
    Optional<String> secret = read();
    return secret.map(each -> (USER + each).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The lines of a zoo.cfg that let its server be reconfigured with this secret; none if that would
   * change the others. What they say of it stays.
   *
   * @param others lines that there are
   */
  Map<String, String> lines(Map<String, String> others) throws CommandFailure, IOException {
    Map<String, String> lines = new TreeMap<>();
    if (!others.values().stream().allMatch(EnsembleSecret::isPlain)) {
      return lines;
    }
    lines.put(RECONFIG, "true");
    if (Files.exists(file) || !others.containsKey(DIGEST)) {
      lines.put(DIGEST, digest(make(), others.getOrDefault(ALGORITHM, ALGORITHM_DEFAULT)));
    }
    lines.keySet().removeAll(others.keySet());
    return lines;
  }

  /** A server that can be reconfigured writes its zoo.cfg anew, without escapes and in Latin-1. */
  private static boolean isPlain(String value) {
    return value.chars().allMatch(each -> each >= ' ' && each <= '~' && each != '\\');
  }

  private String make() throws CommandFailure, IOException {
    Optional<String> there = read();
    if (there.isPresent()) {
      return there.get();
    }
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    StateFolder.create(file.getParent());
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (UnsupportedOperationException e) {
      // A file system without owners; who may read it is the user's to know.
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure(file + " is empty; delete it.", e);
    }
    Files.writeString(file, secret + "\n", StandardOpenOption.WRITE);
    return secret;
  }

  private Optional<String> read() throws CommandFailure {
    try {
      String secret = Files.exists(file) ? Files.readString(file).strip() : "";
      return secret.isEmpty() ? Optional.empty() : Optional.of(secret);
    } catch (IOException e) {
      throw new CommandFailure(
          file + " cannot be read (" + e.getMessage() + "); run this as its owner.", e);
    }
  }

  private static String digest(String secret, String algorithm) throws CommandFailure {
    try {
      byte[] whole = (USER + secret).getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance(algorithm).digest(whole);
      return USER + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw CommandFailure.usage(ALGORITHM + "=" + algorithm + " is not known to this JVM.");
    }
  }
}
