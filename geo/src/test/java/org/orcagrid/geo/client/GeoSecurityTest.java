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
package org.orcagrid.geo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;
import org.orcagrid.transport.tcp.ClientAdmission;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TestCertificates;
import org.orcagrid.transport.tcp.TlsSettings;

/** TLS and secrets between nodes, and of clients: who is let in, and what the others are told. */
@Timeout(120)
class GeoSecurityTest {
  private static final int STRANGER = 3;
  private static final Duration SHORT = Duration.ofSeconds(2);

  @TempDir private Path folder;
  private LocalStore store;

  @AfterEach
  void close() {
    if (store != null) {
      store.close();
      assertEquals(List.of(), List.copyOf(store.failures()));
    }
  }

  /** Two datacenters of two nodes; the last node has other settings than the rest. */
  private void begin(PortSecurity usual, PortSecurity strange) throws IOException {
    store =
        new LocalStore(
            folder,
            2,
            2,
            2,
            new LocalStore.Oddity() {
              @Override
              public GeoConfig config(GeoConfig given) {
                PortSecurity its = given.plan().self() == STRANGER ? strange : usual;
                return new GeoConfig(
                    given.plan(),
                    given.folder(),
                    given.workers(),
                    given.journalBytesMax(),
                    given.log(),
                    its,
                    given.console(),
                    given.trial());
              }
            });
  }

  /** A session goes from one datacenter to the other; all nodes are needed for that. */
  private void use(GeoSettings settings) {
    try (RemoteGeo geo = RemoteGeo.connect(settings.timeout(Duration.ofSeconds(30)));
        GeoSession session = geo.openSession()) {
      GeoView<String, String> view = session.view("mails", Codec.STRING, Codec.STRING);
      for (int i = 0; i < 4; i++) {
        view.put("ann" + i, "mail", WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS);
        ReadGuarantee both = ReadGuarantee.MONOTONIC_READ_YOUR_WRITE;
        assertEquals("mail", view.at("dc1").get("ann" + i, both).value());
      }
    }
  }

  private String refusal(TlsSettings tls, Path secret) {
    GeoSettings settings = store.settings().timeout(SHORT).security(tls, secret);
    long begin = System.nanoTime();
    String message =
        assertThrows(GeoException.class, () -> RemoteGeo.connect(settings)).getMessage();
    long took = System.nanoTime() - begin;
    assertTrue(took < Duration.ofSeconds(20).toNanos(), "no client hangs: " + took);
    return message;
  }

  private void awaitRefusal(String what) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (store.refusals().stream().noneMatch(each -> each.contains(what))) {
      assertTrue(
          System.nanoTime() - end < 0, () -> "nobody was told " + what + ": " + store.refusals());
      Thread.onSpinWait();
    }
  }

  private static void requireSays(String message, String... parts) {
    for (String each : parts) {
      assertTrue(message.contains(each), message);
    }
  }

  private Path secret(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  @Test
  void overTlsAllNodesAndClientsTalk() throws Exception {
    TlsSettings own = TestCertificates.make(folder.resolve("own"));
    TlsSettings other = TestCertificates.make(folder.resolve("other"));
    begin(PortSecurity.ofTls(own), PortSecurity.ofTls(own));
    use(store.settings().security(own, null));
    requireSays(refusal(null, null), "as a node with TLS does", "grid.tls.keystore");
    requireSays(refusal(other, null), "PKIX path validation failed");
  }

  @Test
  void aNodeWithoutTlsIsToldSo() throws Exception {
    TlsSettings own = TestCertificates.make(folder.resolve("own"));
    begin(PortSecurity.ofTls(own), PortSecurity.NONE);
    awaitRefusal("it speaks TLS, and this one does not; set grid.tls.keystore on all nodes");
  }

  @Test
  void withASecretAllNodesAndClientsTalk() throws Exception {
    Path own = secret("own", "a secret of the nodes");
    Path other = secret("other", "that of another store");
    PortSecurity known = PortSecurity.NONE.withSecret(own).withClients(ClientAdmission.SECRET);
    begin(known, known);
    use(store.settings().security(null, own));
    requireSays(refusal(null, null), "it has no secret, and this node asks for one");
    requireSays(refusal(null, other), "it does not know the secret");
  }

  @Test
  void aNodeWithAnotherSecretIsToldSo() throws Exception {
    begin(
        PortSecurity.NONE.withSecret(secret("own", "a secret of the nodes")),
        PortSecurity.NONE.withSecret(secret("other", "that of another store")));
    awaitRefusal("it does not know the secret");
  }
}
