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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of {@code orca tls init}; servers that use them are in the integration tests. */
class TlsInitTest {
  private static final Class<BasicFileAttributes> BASIC = BasicFileAttributes.class;

  @TempDir static Path folder;
  private static Path tls;
  private static Cli made;

  @BeforeAll
  static void make() {
    tls = folder.resolve("below").resolve("tls");
    made =
        Cli.run(
            "tls", "init", "--dir", tls, "--hosts", "a.example.org,10.0.0.1,::1", "--days", "30");
  }

  private static X509Certificate certificate(Path dir, String name) throws Exception {
    try (InputStream in = Files.newInputStream(dir.resolve(name + ".pem"))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private static KeyStore store(Path dir, String name) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(dir.resolve(name + ".p12"))) {
      keys.load(in, Files.readString(dir.resolve(name + ".password")).toCharArray());
    }
    return keys;
  }

  @Test
  void itSaysWhatItHasMade() {
    assertEquals(0, made.exitCode(), made.err());
    assertEquals("", made.err());
    for (String part :
        List.of(
            "for servers called a.example.org, 10.0.0.1, 0:0:0:0:0:0:0:1.",
            "    secureClientPort=2281\n",
            "    ssl.quorum.trustStore.location=" + tls.resolve("quorum-truststore.p12") + "\n",
            "    -Dzookeeper.ssl.keyStore.passwordPath=" + tls.resolve("client.password") + "\n",
            "orca cli -server a.example.org:2281 -client-configuration ",
            "use_ssl=True",
            "zk.WithDialer(dial)")) {
      assertTrue(made.out().contains(part), () -> part + " in " + made.out());
    }
  }

  @Test
  void noPasswordIsPrinted() throws Exception {
    TreeSet<String> passwords = new TreeSet<>();
    for (String name :
        List.of(
            "ca", "quorum-ca", "server", "quorum", "client", "truststore", "quorum-truststore")) {
      String password = Files.readString(tls.resolve(name + ".password"));
      assertTrue(password.length() >= 32, name);
      assertFalse(made.out().contains(password), name);
      passwords.add(password);
    }
    assertEquals(7, passwords.size(), "each store has its own");
  }

  @Test
  void theAuthorityHasSignedBoth() throws Exception {
    X509Certificate authority = certificate(tls, "ca");
    assertEquals(0, authority.getBasicConstraints(), "an authority for certificates only");
    Instant inAMonth = Instant.now().plus(Duration.ofDays(30));
    for (String name : List.of("server", "client")) {
      X509Certificate signed = certificate(tls, name);
      signed.verify(authority.getPublicKey());
      assertEquals(-1, signed.getBasicConstraints(), name);
      Duration off = Duration.between(signed.getNotAfter().toInstant(), inAMonth).abs();
      assertTrue(off.compareTo(Duration.ofMinutes(10)) < 0, name);
      assertEquals(2, store(tls, name).getCertificateChain(name).length, name);
    }
    assertEquals(
        List.of("1.3.6.1.5.5.7.3.2"),
        certificate(tls, "client").getExtendedKeyUsage(),
        "a client's certificate is no server's");
    assertTrue(authority.getNotAfter().toInstant().isAfter(inAMonth.plus(Duration.ofDays(3000))));
  }

  @Test
  void thePemFilesHoldWhatTheStoresHold() throws Exception {
    for (String name : List.of("server", "client")) {
      String pem = Files.readString(tls.resolve(name + "-key.pem"));
      String base64 = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
      byte[] encoded = Base64.getDecoder().decode(base64);
      assertEquals(
          KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded)),
          store(tls, name)
              .getKey(name, Files.readString(tls.resolve(name + ".password")).toCharArray()));
      assertEquals(certificate(tls, name), store(tls, name).getCertificate(name));
    }
  }

  @Test
  void nobodyElseCanReadThem() throws Exception {
    assumeTrue(Files.getFileStore(tls).supportsFileAttributeView("posix"), "no POSIX permissions");
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(tls)), "folder");
    try (Stream<Path> files = Files.list(tls)) {
      for (Path file :
          files.filter(each -> !each.getFileName().toString().endsWith(".properties")).toList()) {
        assertEquals(
            "rw-------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
            file::toString);
      }
    }
  }

  @Test
  void nothingElseIsLeft() throws Exception {
    try (Stream<Path> beside = Files.list(tls.getParent());
        Stream<Path> files = Files.list(tls)) {
      assertEquals(List.of(tls), beside.toList());
      assertEquals(
          "ca.p12 ca.password ca.pem client-key.pem client.p12 client.password client.pem"
              + " client.properties quorum-ca.p12 quorum-ca.password quorum-ca.pem quorum-key.pem"
              + " quorum-truststore.p12 quorum-truststore.password quorum.p12 quorum.password"
              + " quorum.pem server-key.pem server.p12 server.password server.pem truststore.p12"
              + " truststore.password",
          String.join(" ", files.map(each -> each.getFileName().toString()).sorted().toList()));
    }
  }

  @Test
  void anAuthorityIsNotOverwritten() throws Exception {
    byte[] before = Files.readAllBytes(tls.resolve("ca.p12"));
    Cli again = Cli.run("tls", "init", "--dir", tls);

    assertEquals(1, again.exitCode());
    assertTrue(again.err().contains("has an authority already; add --renew"), again.err());
    assertArrayEquals(before, Files.readAllBytes(tls.resolve("ca.p12")));
  }

  @Test
  void aFolderWithOtherFilesIsLeftAlone() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("letter"), "dear");
    Cli cli = Cli.run("tls", "init", "--dir", other);

    assertEquals(1, cli.exitCode());
    assertTrue(cli.err().contains("holds other files"), cli.err());
    assertEquals("dear", Files.readString(other.resolve("letter")));
  }

  @Test
  void anEmptyFolderStaysTheSameOne() throws Exception {
    Path real = Files.createDirectories(folder.resolve("mounted").resolve("real"));
    assumeTrue(Files.getFileStore(real).supportsFileAttributeView("posix"), "no POSIX permissions");
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwxr-x---"));
    Object key = Files.getAttribute(real, "unix:ino");
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    // As a mount point's parent is for most users.
    Files.setPosixFilePermissions(real.getParent(), PosixFilePermissions.fromString("r-xr-x---"));
    try {
      Cli cli = Cli.run("tls", "init", "--dir", link, "--hosts", "a.example.org");
      assertEquals(0, cli.exitCode(), cli.err());
    } finally {
      Files.setPosixFilePermissions(real.getParent(), PosixFilePermissions.fromString("rwx------"));
    }
    assertTrue(Files.isSymbolicLink(link));
    assertEquals(key, Files.getAttribute(real, "unix:ino"));
    assertEquals("rwxr-x---", PosixFilePermissions.toString(Files.getPosixFilePermissions(real)));
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(real.resolve("ca.p12"))));
    try (Stream<Path> files = Files.list(real)) {
      assertTrue(files.noneMatch(Files::isDirectory), "nothing temporary is left");
    }
  }

  @Test
  void whatAKilledRunLeftIsRemovedAndTheAuthoritiesStay() throws Exception {
    Path dir = Files.createDirectory(folder.resolve("killed"));
    leaveBehind(dir);
    assertEquals(0, Cli.run("tls", "init", "--dir", dir, "--hosts", "b.example.org").exitCode());
    leaveBehind(dir);
    BasicFileAttributes before = Files.readAttributes(dir.resolve("ca.p12"), BASIC);

    Cli renewed = Cli.run("tls", "init", "--dir", dir, "--renew");

    assertEquals(0, renewed.exitCode(), renewed.err());
    try (Stream<Path> files = Files.list(dir)) {
      assertTrue(files.noneMatch(Files::isDirectory), "nothing temporary is left");
    }
    BasicFileAttributes after = Files.readAttributes(dir.resolve("ca.p12"), BASIC);
    assertEquals(before.fileKey(), after.fileKey(), "the authority's keys were not copied back");
    certificate(dir, "server").verify(certificate(dir, "ca").getPublicKey());
  }

  private static void leaveBehind(Path dir) throws Exception {
    Path stale = Files.createDirectory(dir.resolve(".orca-tls-1234"));
    Files.writeString(stale.resolve("ca.p12"), "secret");
  }

  @Test
  void renewedOnesAreUnderTheSameAuthority() throws Exception {
    Path dir = Files.createDirectory(folder.resolve("renewed"));
    assertEquals(0, Cli.run("tls", "init", "--dir", dir, "--hosts", "b.example.org").exitCode());
    X509Certificate before = certificate(dir, "server");
    X509Certificate authority = certificate(dir, "ca");
    String password = Files.readString(dir.resolve("server.password"));

    Cli renewed = Cli.run("tls", "init", "--dir", dir, "--renew");

    assertEquals(0, renewed.exitCode(), renewed.err());
    assertTrue(renewed.out().contains("for servers called b.example.org."), renewed.out());
    X509Certificate after = certificate(dir, "server");
    assertNotEquals(before, after);
    assertEquals(authority, certificate(dir, "ca"));
    after.verify(authority.getPublicKey());
    assertEquals(password, Files.readString(dir.resolve("server.password")));
    X509Certificate among = certificate(dir, "quorum");
    among.verify(certificate(dir, "quorum-ca").getPublicKey());
    assertNotEquals(among.getIssuerX500Principal(), after.getIssuerX500Principal());
  }

  @Test
  void withoutAnAuthorityThereIsNothingToRenew() {
    Cli cli = Cli.run("tls", "init", "--dir", folder.resolve("none"), "--renew");

    assertEquals(1, cli.exitCode());
    assertTrue(cli.err().contains("There is no authority in "), cli.err());
    assertFalse(Files.exists(folder.resolve("none")));
  }

  @Test
  void badArgumentsAreNamed() {
    Path none = folder.resolve("none");
    Cli days = Cli.run("tls", "init", "--dir", none, "--days", "0");
    Cli hosts = Cli.run("tls", "init", "--dir", none, "--hosts", "a b");

    assertEquals(2, days.exitCode());
    assertTrue(days.err().contains("--days must be from 1 to 36500, not 0"), days.err());
    assertEquals(2, hosts.exitCode());
    assertTrue(hosts.err().contains("'a b' in --hosts"), hosts.err());
    assertFalse(Files.exists(none));
  }

  @Test
  void whatKeytoolRefusesIsPassedOn() {
    Path none = folder.resolve("none");
    Cli cli = Cli.run("tls", "init", "--dir", none, "--hosts", "999.1.1.1");

    assertEquals(1, cli.exitCode());
    assertTrue(cli.err().contains("keytool"), cli.err());
    assertFalse(Files.exists(none));
  }

  @Test
  void theLinesThatArePrintedAreInOrder() throws Exception {
    List<Integer> ports = FreePorts.find(2, new Random(11));
    Path zooCfg = folder.resolve("zoo.cfg");
    String lines =
        made.out()
            .replaceFirst("(?s).*Lines for the zoo.cfg of every server:\n", "")
            .replaceFirst("(?s)\n\n.*", "\n")
            .replace("2281", ports.get(0).toString());
    Files.writeString(
        zooCfg,
        "dataDir="
            + folder.resolve("data")
            + "\nclientPort="
            + ports.get(1)
            + "\n"
            + "admin.enableServer=false\n"
            + lines,
        UTF_8);
    Cli check = Cli.run("server", "check", zooCfg);

    assertEquals("zoo.cfg is in order.\n", check.out());
    assertEquals(0, check.exitCode());
  }
}
