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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;
import org.orcagrid.needs.Need;
import org.orcagrid.needs.Needs;

/** What a store does at its limits: too many wait, clocks are far apart, a disk is full. */
@Timeout(180)
class GeoLimitsTest {
  private static final int UNDER_WAY_MAX = 4_096;
  private static final int FORWARD_MILLIS = 6_000;
  private static final int VALUE_BYTES = 256 << 10;
  private static final int DISK_MB = 40;

  @TempDir private Path folder;
  private LocalStore store;
  private Path mounted;

  @AfterEach
  void close() throws Exception {
    if (store != null) {
      store.close();
    }
    if (mounted != null) {
      run("umount", mounted.toString());
    }
  }

  private static GeoView<String, String> view(GeoSession session) {
    return session.view("mails", Codec.STRING, Codec.STRING);
  }

  /** Two datacenters of a node, of which the first forwards late, with a clock of its own. */
  private void beginLate(long aheadMillis) throws IOException {
    store =
        new LocalStore(
            folder,
            2,
            1,
            1,
            new LocalStore.Oddity() {
              @Override
              public GeoConfig config(GeoConfig usual) {
                return usual.plan().self() == 0
                    ? LocalStore.withTrial(usual, new GeoConfig.Trial(0, FORWARD_MILLIS, -1))
                    : usual;
              }

              @Override
              public long aheadMillis(int node) {
                return node == 0 ? aheadMillis : 0;
              }
            });
  }

  @Test
  void ofTooManyThatWaitSomeAreRefusedAndOthersServed() throws IOException {
    beginLate(0);
    try (RemoteGeo geo = RemoteGeo.connect(store.settings());
        RemoteGeo other = RemoteGeo.connect(store.settings());
        GeoSession session = geo.openSession();
        GeoSession stranger = other.openSession()) {
      GeoView<String, String> here = view(session);
      here.put("k", "v", WriteGuarantee.EVENTUAL);
      GeoView<String, String> there = here.at("dc1");
      List<CompletableFuture<Seen<String>>> reads = new ArrayList<>();
      for (int i = 0; i < UNDER_WAY_MAX + 200; i++) {
        reads.add(there.getAsync("k", ReadGuarantee.READ_YOUR_WRITE));
      }
      // Another client is served meanwhile.
      GeoView<String, String> elsewhere = view(stranger).at("dc1");
      assertNull(elsewhere.get("k", ReadGuarantee.EVENTUAL).value());
      int served = 0;
      int refused = 0;
      for (CompletableFuture<Seen<String>> each : reads) {
        try {
          assertEquals("v", each.join().value());
          served++;
        } catch (CompletionException e) {
          assertEquals(
              "Too many requests wait at the node; ask for less at once",
              e.getCause().getMessage());
          refused++;
        }
      }
      assertEquals(200, refused);
      assertEquals(UNDER_WAY_MAX, served);
      assertEquals("v", there.get("k", ReadGuarantee.READ_YOUR_WRITE).value());
    }
  }

  @Test
  void aWriteBehindAFastClockIsRefusedUntilItsTimeHasCome() throws IOException {
    long ahead = 60_000;
    beginLate(ahead);
    try (RemoteGeo geo = RemoteGeo.connect(store.settings());
        GeoSession session = geo.openSession()) {
      GeoView<String, String> here = view(session);
      here.put("k", "fast", WriteGuarantee.MONOTONIC_WRITE);
      GeoView<String, String> there = here.at("dc1");
      GeoException refused =
          assertThrows(
              GeoException.class, () -> there.put("k", "slow", WriteGuarantee.MONOTONIC_WRITE));
      assertTrue(refused.getMessage().contains("set the clocks of the datacenters"), "" + refused);
      // Who asks for nothing writes, and loses.
      there.put("k", "lost", WriteGuarantee.EVENTUAL);
      assertEquals("fast", there.get("k", ReadGuarantee.READ_YOUR_WRITE).value());
      // Now the leader there has seen that time itself.
      there.put("k", "later", WriteGuarantee.MONOTONIC_WRITE);
      assertEquals("later", here.get("k", ReadGuarantee.READ_YOUR_WRITE).value());
    }
  }

  @Test
  void clocksUpToHalfASecondApartAreNoMatter() throws IOException {
    beginLate(400);
    try (RemoteGeo geo = RemoteGeo.connect(store.settings());
        GeoSession session = geo.openSession()) {
      GeoView<String, String> here = view(session);
      for (int i = 0; i < 5; i++) {
        here.put("k", "fast", WriteGuarantee.MONOTONIC_WRITE);
        here.at("dc1").put("k", "slow" + i, WriteGuarantee.MONOTONIC_WRITE);
      }
      assertEquals("slow4", here.get("k", ReadGuarantee.READ_YOUR_WRITE).value());
    }
  }

  // --- a full disk -------------------------------------------------------------------------------

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? null : String.join(" ", command) + ": " + said.strip();
  }

  /** Whether this machine lets this user mount a small file system. */
  static final class SmallDisk implements Need {
    @Override
    public String what() {
      return "a tmpfs (root)";
    }

    @Override
    public String missing() throws Exception {
      Path probe = Files.createTempDirectory("orca-probe");
      try {
        String why = run("mount", "-t", "tmpfs", "-o", "size=1m", "orca", probe.toString());
        return why == null ? run("umount", probe.toString()) : why;
      } finally {
        Files.delete(probe);
      }
    }
  }

  @Test
  @Needs(SmallDisk.class)
  void aNodeWhoseDiskIsFullEndsAndComesBackWithRoom() throws Exception {
    Path small = Files.createDirectories(folder.resolve("node-2"));
    assertNull(run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MB + "m", "orca", "" + small));
    mounted = small;
    store = new LocalStore(folder, 1, 3, 1);
    try (RemoteGeo geo = RemoteGeo.connect(store.settings().timeout(Duration.ofSeconds(30)));
        GeoSession session = geo.openSession()) {
      GeoView<String, String> view = view(session);
      String value = "v".repeat(VALUE_BYTES);
      int writes = 0;
      while (store.failures().isEmpty()) {
        view.put("k" + writes % 8, value + writes, WriteGuarantee.MONOTONIC_WRITE);
        writes++;
        assertTrue(writes < 4 * (DISK_MB << 20) / VALUE_BYTES, "the disk is full by now");
      }
      String why = String.valueOf(store.failures().poll().getMessage());
      assertTrue(why.contains("No space left"), why);
      // The others go on.
      for (int i = 0; i < 8; i++) {
        view.put("k" + i, value + i, WriteGuarantee.MONOTONIC_WRITE);
      }
      store.end(2);
      assertNull(run("mount", "-o", "remount,size=400m", small.toString()));
      store.start(2);
      store.end(0);
      for (int i = 0; i < 8; i++) {
        Seen<String> seen = view.get("k" + i, ReadGuarantee.READ_YOUR_WRITE);
        assertEquals(value + i, seen.value());
        view.put("k" + i, "after", WriteGuarantee.MONOTONIC_WRITE);
      }
      assertEquals(List.of(), List.copyOf(store.failures()));
      assertNull(store.node(2).failure());
    }
  }
}
