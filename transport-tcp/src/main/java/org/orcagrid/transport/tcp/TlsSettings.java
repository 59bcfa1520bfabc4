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

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS with certificates on both sides: whoever has none that the trust store vouches for is not
 * talked to.
 *
 * @param keyStore a PKCS12 or JKS file with this process' key and certificate
 * @param keyStorePassword its password
 * @param trustStore a file with the certificates that others' are signed with
 * @param trustStorePassword its password
 * @param verifyHostNames whether the certificate of whom we connect to must name the host of its
 *     address
 */
public record TlsSettings(
    Path keyStore,
    String keyStorePassword,
    Path trustStore,
    String trustStorePassword,
    boolean verifyHostNames) {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  /** Without the passwords. */
  @Override
  public String toString() {
    return "TLS with " + keyStore + " and " + trustStore;
  }

  /** For who is connected to. */
  public SslContext server() throws IOException {
    try {
      return SslContextBuilder.forServer(keys())
          .sslProvider(SslProvider.JDK)
          .protocols(PROTOCOLS)
          .trustManager(trust())
          .clientAuth(ClientAuth.REQUIRE)
          .build();
    } catch (GeneralSecurityException e) {
      throw unusable(e);
    }
  }

  /** For who connects. */
  public SslContext client() throws IOException {
    try {
      return SslContextBuilder.forClient()
          .sslProvider(SslProvider.JDK)
          .protocols(PROTOCOLS)
          .keyManager(keys())
          .trustManager(trust())
          .endpointIdentificationAlgorithm(verifyHostNames ? "HTTPS" : null)
          .build();
    } catch (GeneralSecurityException e) {
      throw unusable(e);
    }
  }

  private IOException unusable(GeneralSecurityException e) {
    return new IOException(
        "TLS cannot be set up with " + keyStore + " and " + trustStore + ": " + e.getMessage(), e);
  }

  private KeyManagerFactory keys() throws IOException, GeneralSecurityException {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(load(keyStore, keyStorePassword), keyStorePassword.toCharArray());
    return factory;
  }

  private TrustManagerFactory trust() throws IOException, GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(load(trustStore, trustStorePassword));
    return factory;
  }

  private static KeyStore load(Path path, String password)
      throws IOException, GeneralSecurityException {
    if (!Files.isReadable(path)) {
      throw new IOException("The key store " + path + " is not there or cannot be read");
    }
    try {
      return KeyStore.getInstance(path.toFile(), password.toCharArray());
    } catch (IOException e) {
      throw new IOException(
          "The key store "
              + path
              + " cannot be opened, perhaps for its password: "
              + e.getMessage(),
          e);
    }
  }
}
