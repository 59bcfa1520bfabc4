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
package org.orcagrid.mixed.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.mixed.Mixed.value;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.mixed.Change;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.causal.CausalInstance;
import org.orcagrid.mixed.store.memory.MemoryStore;

/** A client is asked for what another one's replica lacks, and nobody without a certificate is. */
class PeersTest {
  private static final String PASSWORD = "password";
  private static final Change<List<String>, String> ADD = Change.of("add", PeersTest::added);
  private static final Handle<Linearizable, Long> POSTS =
      new StoreName<>("strong", Linearizable.class).object("posts");
  private static final Handle<Causal, List<String>> INBOX =
      new StoreName<>("inboxes", Causal.class).object("ann");

  @TempDir private Path folder;

  private final MemoryStore strong = new MemoryStore("strong");
  private final CausalInstance east = instance("east");
  private final CausalInstance west = instance("west");

  private static List<String> added(List<String> present, String item) {
    List<String> all = new ArrayList<>(present == null ? List.of() : present);
    all.add(item);
    return all;
  }

  private static CausalInstance instance(String group) {
    return new CausalInstance("inboxes", group, Set.of("east", "west"), Merge.standard());
  }

  private SSLContext context(String name) throws Exception {
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=" + name,
                  "-ext",
                  "SAN=ip:127.0.0.1",
                  "-storetype",
                  "PKCS12",
                  "-storepass",
                  PASSWORD,
                  "-keystore",
                  file.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertEquals(0, keytool.waitFor());
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, PASSWORD.toCharArray());
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  private MixedClient client(CausalInstance inboxes, String certificate, int seconds)
      throws Exception {
    return new MixedClient(
        List.of(strong, inboxes),
        Duration.ofSeconds(seconds),
        new PeerSettings("127.0.0.1", 0, context(certificate)));
  }

  private void post(MixedClient ann) {
    ann.transaction(INBOX.change(ADD, value("hello")));
    ann.transaction(POSTS.set(value(1L)));
  }

  @Test
  void aReaderIsToldWhatItsReplicaLacks() throws Exception {
    try (MixedClient ann = client(east, "known", 10);
        MixedClient bob = client(west, "known", 10)) {
      post(ann);
      Out<Linearizable, Long> count = new Out<>(Linearizable.class);
      Out<Causal, List<String>> inbox = new Out<>(Causal.class);
      Committed read = bob.transaction(count.set(POSTS.get()), inbox.set(INBOX.get()));
      assertEquals(1L, count.of(read.results()));
      assertEquals(List.of("hello"), inbox.of(read.results()));
    }
  }

  @Test
  void aStrangerIsToldNothing() throws Exception {
    try (MixedClient ann = client(east, "known", 10);
        MixedClient stranger = client(west, "stranger", 2)) {
      post(ann);
      Out<Linearizable, Long> count = new Out<>(Linearizable.class);
      Out<Causal, List<String>> inbox = new Out<>(Causal.class);
      TransactionAbortedException e =
          assertThrows(
              TransactionAbortedException.class,
              () -> stranger.transaction(count.set(POSTS.get()), inbox.set(INBOX.get())));
      assertTrue(e.getMessage().contains("inboxes at west"), e.getMessage());
    }
  }
}
