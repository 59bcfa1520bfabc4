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

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * Who may connect to a node. Nodes prove that they belong to the grid by their certificates, or by
 * a secret; a node with neither listens at a loopback address only, and connects to such only.
 *
 * @param tls null for connections that anyone on the network can open and read
 * @param secretFile with what all nodes know; null for none
 * @param clients which clients are admitted
 */
public record PortSecurity(TlsSettings tls, Path secretFile, ClientAdmission clients) {
  /** Why nodes of two hosts do not talk without TLS and without a secret. */
  static final String UNPROVED =
      "nodes of other hosts have to prove who they are; set grid.tls.keystore or grid.secret.file"
          + " on all nodes, or give all of them loopback addresses, such as 127.0.0.1:7100";

  /** Neither TLS nor a secret, and any client. */
  public static final PortSecurity NONE = new PortSecurity(null, null, ClientAdmission.OPEN);

  /** The settings that {@link #of(Properties)} reads. */
  public static final List<String> NAMES =
      List.of(
          "grid.clients",
          "grid.secret.file",
          "grid.tls.keystore",
          "grid.tls.keystore.password",
          "grid.tls.truststore",
          "grid.tls.truststore.password",
          "grid.tls.verify-host-names");

  /** Refuses clients that would have to prove a secret that there is not. */
  public PortSecurity {
    if (clients == ClientAdmission.SECRET && secretFile == null) {
      throw new IllegalArgumentException("grid.clients=secret needs grid.secret.file");
    }
  }

  /**
   * Whether a node may listen at an address, which is looked up if need be. Where nobody has to
   * prove anything, it has to be a loopback address: where a connection comes from proves nothing,
   * as it may come through a proxy.
   */
  public boolean permits(HostPort address) {
    return asksForProof() || permits(address.resolve());
  }

  boolean permits(InetSocketAddress address) {
    return asksForProof() || address.isUnresolved() || address.getAddress().isLoopbackAddress();
  }

  private boolean asksForProof() {
    return tls != null || secretFile != null;
  }

  /** With TLS, without a secret, and any client that has a certificate. */
  public static PortSecurity ofTls(TlsSettings tls) {
    return new PortSecurity(tls, null, ClientAdmission.OPEN);
  }

  /** The same with other clients. */
  public PortSecurity withClients(ClientAdmission others) {
    return new PortSecurity(tls, secretFile, others);
  }

  /** The same with a secret. */
  public PortSecurity withSecret(Path file) {
    return new PortSecurity(tls, file, clients);
  }

  /**
   * Reads {@link #NAMES}, of which none is needed.
   *
   * @throws IllegalArgumentException if something is missing or wrong, saying what
   */
  public static PortSecurity of(Properties given) {
    String secret = given.getProperty("grid.secret.file");
    String clients = given.getProperty("grid.clients");
    return new PortSecurity(
        tls(given),
        secret == null ? null : Path.of(required(given, "grid.secret.file")),
        clients == null ? ClientAdmission.OPEN : ClientAdmission.parse(clients));
  }

  private static TlsSettings tls(Properties given) {
    if (given.getProperty("grid.tls.keystore") == null) {
      for (String name : NAMES) {
        if (name.startsWith("grid.tls.") && given.getProperty(name) != null) {
          throw new IllegalArgumentException(name + " needs grid.tls.keystore");
        }
      }
      return null;
    }
    return new TlsSettings(
        Path.of(required(given, "grid.tls.keystore")),
        required(given, "grid.tls.keystore.password"),
        Path.of(required(given, "grid.tls.truststore")),
        required(given, "grid.tls.truststore.password"),
        flag(given, "grid.tls.verify-host-names"));
  }

  private static boolean flag(Properties given, String name) {
    String text = given.getProperty(name, "true").trim();
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(name + " is true or false, not " + text);
    }
    return text.equals("true");
  }

  private static String required(Properties given, String name) {
    String text = given.getProperty(name);
    if (text == null || text.isBlank()) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return text.trim();
  }
}
