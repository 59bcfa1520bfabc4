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
package org.orcagrid.geo.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.ddp.worker.Workers;
import org.orcagrid.geo.log.LogNode;
import org.orcagrid.geo.log.NodeLogs;
import org.orcagrid.geo.log.RaftKind;
import org.orcagrid.geo.log.SnapshotFiles;
import org.orcagrid.transport.tcp.HostPort;

class GeoPartTest {
  @TempDir Path folder;

  private final GeoPlan plan =
      new GeoPlan(
          "test",
          List.of(new GeoPlan.Datacenter("dc0", List.of(new HostPort("127.0.0.1", 1)))),
          1,
          1,
          0);
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Its first and only work begins when the node has ended. */
  private Thread afterTheEnd(Runnable work) {
    return new Thread(
        () -> {
          try {
            ended.await();
            work.run();
          } catch (InterruptedException e) {
            failures.add(e);
          }
        });
  }

  @Test
  void aSnapshotThatIsWrittenWhenTheNodeHasEndedIsNoFailure() throws Exception {
    SnapshotFiles files =
        new SnapshotFiles(folder.resolve("snapshots"), this::afterTheEnd, failures::add);
    Workers workers =
        Workers.open(
            1,
            1,
            new Workers.Environment(
                new LoopbackNetwork(1, 1, 1024).transport(0),
                System::nanoTime,
                Thread::new,
                failures::add));
    LogNode.Timing timing = new LogNode.Timing(plan.electionNanos(), plan.beatNanos());
    NodeLogs logs =
        new RaftKind()
            .open(new LogNode(0, plan.nodes(), plan.id(), folder, files, timing, failures::add));
    GeoPart part =
        new GeoPart(
            new GeoEngine.Shared(
                plan,
                System::currentTimeMillis,
                files,
                logs,
                new DirectMemory(() -> {}),
                failures::add,
                GeoConfig.Trial.NONE,
                folder),
            1,
            worker ->
                LogMedium.kind(SegmentLimits.DEFAULT)
                    .open(folder.resolve("journal-" + worker), Thread::new));
    workers.host(part);
    workers.start();
    logs.start();
    long index = 0;
    while (index == 0) {
      CompletableFuture<Long> applied = new CompletableFuture<>();
      part.execute(
          0,
          partition -> {
            partition.snapshot();
            applied.complete(partition.applied());
          });
      index = applied.get(1, TimeUnit.MINUTES);
    }
    workers.close();
    logs.close();
    ended.countDown();
    files.close();
    assertTrue(Files.exists(files.file(0, index)), "it is there all the same");
    assertEquals(List.of(), List.copyOf(failures));
    assertNull(workers.failure());
  }
}
