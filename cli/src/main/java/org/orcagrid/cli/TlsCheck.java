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

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidAlgorithmParameterException;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import javax.net.ssl.X509KeyManager;
import org.apache.zookeeper.common.SecretUtils;
import org.apache.zookeeper.common.X509Exception.KeyManagerException;
import org.apache.zookeeper.common.X509Exception.TrustManagerException;
import org.apache.zookeeper.common.X509Util;

/**
 * Opens the keystores and truststores that a server is going to need. ZooKeeper opens them when the
 * first connection arrives, and so listens with a password that opens nothing.
 */
final class TlsCheck {
  private static final List<String> KEY_TYPES = List.of("RSA", "EC", "DSA", "EdDSA", "RSASSA-PSS");

  /** How long before its end a certificate is worth a warning. */
  private static final Duration SOON = Duration.ofDays(14);

  private final Path file;
  private final Properties properties;
  private final List<CommandFailure> refusals = new ArrayList<>();
  private final List<String> expired = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  /** One look at the configuration. */
  private interface Look {
    void at() throws CommandFailure;
  }

  private TlsCheck(Path file, Properties properties) {
    this.file = file;
    this.properties = properties;
  }

  /** Fails at the first store that TLS needs and that cannot be used. */
  static void require(ZooCfg cfg) throws CommandFailure {
    TlsCheck check = of(cfg);
    if (!check.refusals.isEmpty()) {
      throw check.refusals.get(0);
    }
  }

  /** Looks at everything that TLS needs. */
  static TlsCheck of(ZooCfg cfg) throws CommandFailure {
    TlsCheck check = new TlsCheck(cfg.file(), cfg.properties());
    if (cfg.secureClient().isPresent()) {
      check.look(check::netty);
      check.stores("ssl.", "secureClientPort");
    } else if (check.flag("client.portUnification")) {
      check.stores("ssl.", "client.portUnification");
    }
    if (cfg.servers() > 1 && check.flag("sslQuorum")) {
      check.stores("ssl.quorum.", "sslQuorum");
    } else if (cfg.servers() > 1 && check.flag("portUnification")) {
      check.stores("ssl.quorum.", "portUnification");
    }
    return check;
  }

  /** Returns why nobody could connect: what refuses a start, and certificates that have ended. */
  List<String> errors() {
    return Stream.concat(refusals.stream().map(CommandFailure::getMessage), expired.stream())
        .toList();
  }

  /** Returns what will be wrong soon. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  private void look(Look look) {
    try {
      look.at();
    } catch (CommandFailure e) {
      refusals.add(e);
    }
  }

  /** ZooKeeper's other way to connections knows no TLS, and is its default. */
  private void netty() throws CommandFailure {
    String factory = value("serverCnxnFactory");
    if (factory == null || factory.contains("NIOServerCnxnFactory")) {
      throw new CommandFailure(
          "secureClientPort in "
              + file
              + " needs Netty; add"
              + " serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory.");
    }
  }

  private void stores(String prefix, String neededBy) {
    if (value(prefix + "context.supplier.class") != null) {
      // That class knows where its certificates are.
      return;
    }
    look(() -> openKeyStore(new Store(prefix + "keyStore"), neededBy));
    if (value(prefix + "trustStore.location") != null) {
      look(() -> openTrustStore(new Store(prefix + "trustStore")));
    }
  }

  private void openKeyStore(Store store, String neededBy) throws CommandFailure {
    if (store.location() == null) {
      throw new CommandFailure(
          neededBy
              + " in "
              + file
              + " needs a certificate; add "
              + store.key
              + ".location and "
              + store.key
              + ".password, or make the files with 'orca tls init', which prints the lines.");
    }
    try {
      store.requireFile();
      X509KeyManager keys =
          X509Util.createKeyManager(store.location(), store.password(), store.type());
      if (KEY_TYPES.stream().allMatch(type -> keys.getServerAliases(type, null) == null)) {
        throw new CommandFailure(
            store.named()
                + " has no private key with a certificate, which a server shows its clients; name"
                + " a keystore that has one.");
      }
      lookAtCertificates(store, keys);
    } catch (KeyManagerException | IllegalArgumentException e) {
      throw store.failure(e);
    }
  }

  private void lookAtCertificates(Store store, X509KeyManager keys) {
    for (String type : KEY_TYPES) {
      String[] aliases = keys.getServerAliases(type, null);
      for (String alias : aliases == null ? new String[0] : aliases) {
        lookAtCertificate(store, keys.getCertificateChain(alias)[0]);
      }
    }
  }

  private void lookAtCertificate(Store store, X509Certificate certificate) {
    String what =
        "The certificate " + certificate.getSubjectX500Principal() + " in " + store.location();
    try {
      certificate.checkValidity();
      if (certificate.getNotAfter().toInstant().isBefore(Instant.now().plus(SOON))) {
        warnings.add(what + " expires on " + certificate.getNotAfter() + "; renew it.");
      }
    } catch (CertificateExpiredException e) {
      expired.add(what + " has expired on " + certificate.getNotAfter() + "; renew it.");
    } catch (CertificateNotYetValidException e) {
      expired.add(
          what
              + " is valid from "
              + certificate.getNotBefore()
              + " on only; set this machine's clock or make a new one.");
    }
  }

  private void openTrustStore(Store store) throws CommandFailure {
    try {
      store.requireFile();
      X509Util.createTrustManager(
          store.location(),
          store.password(),
          store.type(),
          false,
          false,
          false,
          false,
          false,
          false);
    } catch (TrustManagerException | IllegalArgumentException e) {
      throw store.failure(e);
    }
  }

  private boolean flag(String key) {
    return Boolean.parseBoolean(value(key));
  }

  /** As ZooKeeper looks it up: the file's line, else the system property. */
  private String value(String key) {
    String inFile = properties.getProperty(key);
    String set = inFile == null ? System.getProperty("zookeeper." + key) : inFile;
    return set == null || set.isBlank() ? null : set.trim();
  }

  /** The keystore or truststore whose keys begin with {@code key}. */
  private final class Store {
    private final String key;

    Store(String key) {
      this.key = key;
    }

    String location() {
      return value(key + ".location");
    }

    /** Empty for PEM files and the like; null would be taken for an error. */
    String type() {
      String type = value(key + ".type");
      return type == null ? "" : type;
    }

    String password() throws CommandFailure {
      String path = value(key + ".passwordPath");
      if (path == null) {
        String password = value(key + ".password");
        return password == null ? "" : password;
      }
      if (!Files.isReadable(Path.of(path))) {
        throw new CommandFailure(
            "The file "
                + path
                + " ("
                + key
                + ".passwordPath in "
                + file
                + ") cannot be read; write the password into it, readable for the server's user.");
      }
      return String.valueOf(SecretUtils.readSecret(path));
    }

    String named() {
      return location() + " (" + key + ".location in " + file + ")";
    }

    void requireFile() throws CommandFailure {
      Path path = Path.of(location());
      if (!Files.isRegularFile(path)) {
        throw new CommandFailure("There is no file " + named() + "; correct the path.");
      }
      if (!Files.isReadable(path)) {
        throw new CommandFailure(
            "No permission to read " + named() + "; make it readable for the server's user.");
      }
    }

    CommandFailure failure(Exception e) {
      Throwable cause = e;
      for (Throwable each = e; each != null; each = each.getCause()) {
        if (each instanceof UnrecoverableKeyException) {
          return new CommandFailure(
              "The password does not open "
                  + named()
                  + "; correct "
                  + key
                  + (value(key + ".passwordPath") == null ? ".password." : ".passwordPath."),
              e);
        }
        if (each instanceof InvalidAlgorithmParameterException) {
          return new CommandFailure(
              named() + " has no trusted certificate; import that of the CA into it.", e);
        }
        cause = each;
      }
      return new CommandFailure(
          "Cannot use "
              + named()
              + " ("
              + cause.getMessage()
              + "); check that it is what "
              + key
              + ".type says: JKS, PKCS12, PEM or BCFKS.",
          e);
    }
  }
}
