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
package org.orcagrid.ddp.map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** A node reads its logs before others wait for it, whatever becomes of the maps meanwhile. */
@Timeout(60)
class LogsBeforeViewsTest {
  private static final int RETURNS = 2;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final Ddp SAFE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);
  private static final MediumKind LOG =
      LogMedium.kind(new SegmentLimits(4 << 20, 1 << 20, 4 << 20, 1L << 28));

  @TempDir Path folder;
  private LocalMaps maps;

  /** Null while logs are opened at once. */
  private volatile Gate gate;

  /** Where the node that returns stands before it has opened a log. */
  private record Gate(CountDownLatch reached, CountDownLatch open) {
    Gate() {
      this(new CountDownLatch(1), new CountDownLatch(1));
    }

    void pass() throws IOException {
      reached.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    maps =
        LocalMaps.start(
            RETURNS + 1,
            folder,
            MediumKind.of(
                LOG.name(),
                (path, threads) -> {
                  Gate there = gate;
                  if (there != null && path.toString().contains("node" + RETURNS)) {
                    there.pass();
                  }
                  return LOG.open(path, threads);
                }));
  }

  @AfterEach
  void close() {
    if (gate != null) {
      gate.open().countDown();
    }
    maps.close();
  }

  private static Key key(int number) {
    return Key.of("key" + number);
  }

  private static void put(MapSession session, int key, String value) {
    session
        .submit(Operation.write(key(key), value.getBytes(UTF_8)))
        .orTimeout(PATIENCE_NANOS, TimeUnit.NANOSECONDS)
        .join();
  }

  private MapDefinition defineAtAll(String name) throws Exception {
    MapDefinition map = null;
    for (int node = 0; node < maps.size(); node++) {
      map = define(node, name);
    }
    return map;
  }

  private MapDefinition define(int node, String name) throws Exception {
    return maps.node(node).define(name, SAFE, Conflicts.ABORT, PATIENCE_NANOS);
  }

  private void returnAndStandAtTheGate() throws Exception {
    gate = new Gate();
    maps.start(RETURNS);
    assertTrue(gate.reached().await(PATIENCE_NANOS, TimeUnit.NANOSECONDS));
  }

  private void awaitReturn() throws Exception {
    gate.open().countDown();
    assertTrue(maps.node(RETURNS).awaitServing(PATIENCE_NANOS));
  }

  @Test
  void othersWriteOnWhileANodeThatReturnsReadsItsLogs() throws Exception {
    MapDefinition map = defineAtAll("carts");
    MapSession session = maps.node(0).openSession(map);
    put(session, 1, "before");
    maps.stop(RETURNS);
    put(session, 2, "while it was away");
    returnAndStandAtTheGate();
    put(session, 3, "while it reads");
    assertEquals(0, maps.node(0).view().nodes().incarnation(RETURNS), "it is no member yet");
    awaitReturn();
    MapSession returned = maps.node(RETURNS).openSession(map);
    String[] values = {"before", "while it was away", "while it reads"};
    for (int key = 1; key <= values.length; key++) {
      int read = key;
      assertArrayEquals(
          values[key - 1].getBytes(UTF_8),
          returned.submit(Operation.read(key(read))).join().read().value());
    }
  }

  @Test
  void whatIsAddedAndRemovedMeanwhileIsAsTheViewSays() throws Exception {
    MapDefinition stays = defineAtAll("stays");
    MapDefinition goes = defineAtAll("goes");
    put(maps.node(0).openSession(stays), 1, "kept");
    put(maps.node(0).openSession(goes), 1, "lost");
    maps.stop(RETURNS);
    returnAndStandAtTheGate();
    maps.node(0).remove("goes", PATIENCE_NANOS);
    define(0, "comes");
    MapDefinition comes = define(1, "comes");
    awaitReturn();
    assertEquals(comes, define(RETURNS, "comes"));
    put(maps.node(RETURNS).openSession(comes), 1, "new");
    assertThrows(IllegalStateException.class, () -> maps.node(RETURNS).openSession(goes));
  }
}
