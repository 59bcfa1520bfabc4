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
package org.orcagrid.processes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.system.ProcessLauncher;
import org.orcagrid.bench.system.ServerAddress;
import org.orcagrid.bench.system.SystemUnderTest;
import org.orcagrid.bench.system.Systems;

/**
 * A network so slow that a heartbeat is answered after the lease for which it could have been good:
 * the leader never holds one.
 */
@Timeout(120)
class LeaderWithoutLeaseTest {
  private static final double ONE_WAY_MS = 150;
  private static final int ROUNDS = 20;

  @TempDir Path dir;

  /**
   * Every server but the leader puts reads to the leader, and its own clients' writes behind them.
   * Writes that overtake a read on their way back must not bar those that come later.
   */
  @Test
  void writesGoOnBesideReadsThatNobodyConfirms() throws Exception {
    try (SystemUnderTest system =
        new ProcessLauncher(dir)
            .launch(Systems.named("orca"), new ExperimentPlan.Servers(3, ONE_WAY_MS), 0)) {
      system.awaitServing();
      for (ServerAddress server : system.servers()) {
        writeBesideReads(server.host() + ":" + server.port());
      }
    }
  }

  private static void writeBesideReads(String server) throws Exception {
    String node = "/" + server.replace(':', '-');
    try (ZooKeeper reader = new ZooKeeper(server, 20_000, event -> {});
        ZooKeeper writer = new ZooKeeper(server, 20_000, event -> {})) {
      Writes writes = new Writes();
      for (int n = 0; n < ROUNDS; n++) {
        reader.getData("/", false, (rc, path, context, data, stat) -> {}, null);
        writes.begin(writer, node + n);
      }
      writes.await();
    }
  }

  /** Writes under way. */
  private static final class Writes {
    private final List<Code> codes = new ArrayList<>();
    private final CountDownLatch left = new CountDownLatch(ROUNDS);

    void begin(ZooKeeper writer, String path) {
      AsyncCallback.StringCallback done =
          (rc, asked, context, name) -> {
            synchronized (codes) {
              codes.add(Code.get(rc));
            }
            left.countDown();
          };
      writer.create(
          path, "x".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT, done, null);
    }

    void await() throws InterruptedException {
      boolean all = left.await(15, TimeUnit.SECONDS);
      synchronized (codes) {
        assertTrue(
            all && codes.stream().allMatch(Code.OK::equals),
            () -> "of " + ROUNDS + " writes there are answers to " + codes);
      }
    }
  }
}
