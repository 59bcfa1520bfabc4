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
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Whether a server speaks TLS at a port; nothing is said there but the handshake. A server that
 * wants certificates of its clients logs that this one had none.
 *
 * @param listening whether anybody listens
 * @param objection why no handshake can be had; empty if the server answers it, be it with a
 *     refusal
 */
record TlsProbe(boolean listening, Optional<String> objection) {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Whose certificate it is does not matter here: no secret follows. */
  private static final class AnyServer implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
      throw new UnsupportedOperationException("This is a client");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  static TlsProbe of(InetSocketAddress address) {
    int timeoutMs = Math.toIntExact(TIMEOUT.toMillis());
    try (SSLSocket socket = (SSLSocket) context().getSocketFactory().createSocket()) {
      socket.connect(Addresses.reachable(address), timeoutMs);
      socket.setSoTimeout(timeoutMs);
      socket.startHandshake();
      return new TlsProbe(true, Optional.empty());
    } catch (ConnectException | SocketTimeoutException e) {
      return new TlsProbe(false, Optional.of(String.valueOf(e.getMessage())));
    } catch (SSLException e) {
      // An alert is TLS as well: the server wants a certificate of its clients, for instance.
      String said = String.valueOf(e.getMessage());
      return new TlsProbe(true, said.contains("alert") ? Optional.empty() : Optional.of(said));
    } catch (IOException e) {
      return new TlsProbe(true, Optional.of(String.valueOf(e.getMessage())));
    }
  }

  private static SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new AnyServer()}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no TLS", e);
    }
  }
}
