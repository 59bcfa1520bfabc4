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
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder with two certificate authorities and what they have signed: one for what servers and
 * clients show each other, one for what servers show each other. So a client cannot join the
 * servers.
 */
final class CertificateFolder {
  static final String SERVER = "server";
  static final String CLIENT = "client";
  static final String TRUST = "truststore";
  static final String QUORUM = "quorum";
  static final String QUORUM_TRUST = "quorum-truststore";

  private static final String AUTHORITY = "ca";
  private static final String QUORUM_AUTHORITY = "quorum-ca";

  private static final int AUTHORITY_DAYS = 3650;
  private static final int PASSWORD_BYTES = 24;
  private static final int PEM_LINE = 64;
  private static final byte[] LINE_END = {'\n'};

  /** How the names of folders begin in which files are made. */
  private static final String TEMPORARY = ".orca-tls-";

  private final Path folder;

  private CertificateFolder(Path folder) {
    this.folder = folder;
  }

  static CertificateFolder at(Path folder) {
    return new CertificateFolder(folder.toAbsolutePath().normalize());
  }

  /** A file of the folder. */
  Path file(String name) {
    return folder.resolve(name);
  }

  Path path() {
    return folder;
  }

  /** Makes all of it in a folder that is not there or is empty. */
  void make(List<String> hosts, int days)
      throws CommandFailure, IOException, InterruptedException, GeneralSecurityException {
    if (Files.exists(file("ca.p12"))) {
      throw new CommandFailure(
          folder
              + " has an authority already; add --renew for new certificates under it, or choose"
              + " another --dir.");
    }
    // A folder that is there stays the same one: it may be a link, a mount point or another user's.
    boolean made = !Files.exists(folder);
    if (made) {
      Files.createDirectories(folder);
      protectFolder(folder);
    } else {
      removeStale();
      requireEmpty();
    }
    boolean complete = false;
    CertificateFolder fresh = temporary();
    try {
      fresh.makeAuthority(AUTHORITY, TRUST, Math.max(days, AUTHORITY_DAYS));
      fresh.makeAuthority(QUORUM_AUTHORITY, QUORUM_TRUST, Math.max(days, AUTHORITY_DAYS));
      fresh.makeSigned(hosts, days, fresh.folder);
      fresh.moveTo(folder);
      complete = true;
    } finally {
      fresh.remove();
      if (made && !complete) {
        remove();
      }
    }
  }

  /** Makes new certificates of servers and clients under the authority that is there. */
  void renew(List<String> hosts, int days)
      throws CommandFailure, IOException, InterruptedException, GeneralSecurityException {
    if (!Files.exists(file("ca.p12"))) {
      throw new CommandFailure(
          "There is no authority in " + folder + "; leave --renew away to make one.");
    }
    removeStale();
    CertificateFolder fresh = temporary();
    try {
      for (String store : List.of(SERVER, CLIENT, QUORUM)) {
        // The passwords stay, so that a store and its password never differ while files move.
        String password = store + ".password";
        if (Files.exists(file(password))) {
          Files.copy(file(password), fresh.file(password), StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
      fresh.makeSigned(hosts, days, folder);
      fresh.moveTo(folder);
    } finally {
      fresh.remove();
    }
  }

  /** Moves all files; that of the authority last, by which a folder is known to be complete. */
  private void moveTo(Path target) throws IOException {
    String last = AUTHORITY + ".p12";
    List<Path> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      files.filter(each -> !each.endsWith(last)).forEach(all::add);
    }
    if (Files.exists(file(last))) {
      all.add(file(last));
    }
    for (Path each : all) {
      Files.move(each, target.resolve(each.getFileName()), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** The names and addresses in the servers' certificate. */
  List<String> hosts() throws IOException, GeneralSecurityException {
    return hosts(certificate(SERVER));
  }

  /** Until when all certificates are valid. */
  LocalDate validUntil() throws IOException, GeneralSecurityException {
    LocalDate end = LocalDate.MAX;
    for (String store : List.of(AUTHORITY, QUORUM_AUTHORITY, SERVER, QUORUM, CLIENT)) {
      LocalDate each =
          LocalDate.ofInstant(certificate(store).getNotAfter().toInstant(), ZoneOffset.UTC);
      end = each.isBefore(end) ? each : end;
    }
    return end;
  }

  private void makeAuthority(String authority, String trust, int days)
      throws CommandFailure, IOException, InterruptedException, GeneralSecurityException {
    makePassword(authority);
    String name = "CN=Orca Grid " + authority + " " + LocalDate.now(ZoneOffset.UTC);
    Keytool.in(folder)
        .makeKeyPair(authority, name, days, "bc:c=ca:true,pathlen:0", "ku:c=keyCertSign,cRLSign");
    protect(file(authority + ".p12"));
    Certificate certificate = certificate(authority);
    writePem(authority + ".pem", "CERTIFICATE", certificate.getEncoded());
    makePassword(trust);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setCertificateEntry(authority, certificate);
    save(trust, keys);
  }

  private void makeSigned(List<String> hosts, int days, Path authorities)
      throws CommandFailure, IOException, InterruptedException, GeneralSecurityException {
    String names =
        "san="
            + String.join(
                ",",
                hosts.stream().map(host -> (isAddress(host) ? "ip:" : "dns:") + host).toList());
    String signs = "ku:c=digitalSignature";
    makeSigned(SERVER, authorities, AUTHORITY, days, names, "eku=serverAuth", signs);
    makeSigned(CLIENT, authorities, AUTHORITY, days, "eku=clientAuth", signs);
    makeSigned(
        QUORUM, authorities, QUORUM_AUTHORITY, days, names, "eku=serverAuth,clientAuth", signs);
  }

  private void makeSigned(
      String store, Path authorities, String authority, int days, String... extensions)
      throws CommandFailure, IOException, InterruptedException, GeneralSecurityException {
    if (!Files.exists(file(store + ".password"))) {
      makePassword(store);
    }
    Keytool keytool = Keytool.in(folder);
    keytool.makeKeyPair(store, "CN=Orca Grid " + store, days);
    Path signed = keytool.sign(store, authorities, authority, days, extensions);
    char[] password = password(store);
    KeyStore keys = load(store);
    Key key = keys.getKey(store, password);
    Certificate[] chain = {read(signed), at(authorities).certificate(authority)};
    keys.setKeyEntry(store, key, password, chain);
    save(store, keys);
    Files.delete(signed);
    writePem(store + "-key.pem", "PRIVATE KEY", key.getEncoded());
    writePem(store + ".pem", "CERTIFICATE", chain[0].getEncoded());
  }

  private static Certificate read(Path file) throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private X509Certificate certificate(String store) throws IOException, GeneralSecurityException {
    return (X509Certificate) load(store).getCertificate(store);
  }

  private KeyStore load(String store) throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file(store + ".p12"))) {
      keys.load(in, password(store));
    }
    return keys;
  }

  private void save(String store, KeyStore keys) throws IOException, GeneralSecurityException {
    try (OutputStream out = Files.newOutputStream(file(store + ".p12"))) {
      keys.store(out, password(store));
    }
    protect(file(store + ".p12"));
  }

  private char[] password(String store) throws IOException {
    return Files.readString(file(store + ".password")).strip().toCharArray();
  }

  private void makePassword(String store) throws IOException {
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    Path file = file(store + ".password");
    Files.writeString(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    protect(file);
  }

  private void writePem(String name, String kind, byte[] content) throws IOException {
    String text =
        "-----BEGIN "
            + kind
            + "-----\n"
            + Base64.getMimeEncoder(PEM_LINE, LINE_END).encodeToString(content)
            + "\n-----END "
            + kind
            + "-----\n";
    Files.writeString(file(name), text);
    protect(file(name));
  }

  private void requireEmpty() throws CommandFailure, IOException {
    try (Stream<Path> files = Files.list(folder)) {
      if (files.findAny().isPresent()) {
        throw new CommandFailure(
            folder + " holds other files; choose a folder that is not there yet with --dir.");
      }
    }
  }

  /** A folder in this one that nobody else can look into. */
  private CertificateFolder temporary() throws IOException {
    Path made = Files.createTempDirectory(folder, TEMPORARY);
    protectFolder(made);
    return new CertificateFolder(made);
  }

  /** Removes what a run that was killed has left here, keys among it. */
  private void removeStale() throws IOException {
    List<Path> stale;
    try (Stream<Path> files = Files.list(folder)) {
      stale =
          files
              .filter(each -> each.getFileName().toString().startsWith(TEMPORARY))
              .filter(each -> Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))
              .toList();
    }
    for (Path each : stale) {
      new CertificateFolder(each).remove();
    }
  }

  private void remove() throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.toList()) {
        Files.delete(each);
      }
    }
    Files.delete(folder);
  }

  private static void protectFolder(Path folder) throws IOException {
    if (isPosix()) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
  }

  private static void protect(Path file) throws IOException {
    if (isPosix()) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }

  private static boolean isAddress(String host) {
    return host.contains(":") || host.matches("\\d{1,3}(\\.\\d{1,3}){3}");
  }

  private static List<String> hosts(X509Certificate certificate)
      throws CertificateParsingException {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    return names == null ? List.of() : names.stream().map(name -> (String) name.get(1)).toList();
  }
}
