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
package org.orcagrid.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cad.FlushSchedule;

@Timeout(60)
class LogFlusherTest {
  private static final long NEVER = TimeUnit.DAYS.toNanos(1);

  @TempDir Path dir;

  private final ScriptedStorage storage = new ScriptedStorage();
  private final BlockingQueue<Long> persisted = new LinkedBlockingQueue<>();
  private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
  private OrcaTxnSnapLog log;
  private LogFlusher flusher;

  @BeforeEach
  void open() throws IOException {
    log = new OrcaTxnSnapLog(dir.toFile(), dir.toFile(), storage);
  }

  @AfterEach
  void close() throws IOException {
    storage.releaseForces();
    flusher.close();
    log.close();
  }

  private void start(long intervalNanos, LongConsumer onPersisted) {
    FlushSchedule schedule = new FlushSchedule(intervalNanos, 0, System.nanoTime());
    flusher = new LogFlusher("LogFlusher", log, schedule, onPersisted, nanos -> {}, failures::add);
    flusher.start();
  }

  private void append(long zxid) throws IOException {
    log.append(Transactions.create(zxid));
    flusher.appended(zxid);
  }

  private long nextPersisted() throws InterruptedException {
    Long next = persisted.poll(20, TimeUnit.SECONDS);
    assertNotNull(next, "the flusher reports");
    return next;
  }

  @Test
  void whatWasAppendedIsForcedInTheBackground() throws Exception {
    start(TimeUnit.MILLISECONDS.toNanos(1), persisted::add);
    append(1);

    assertEquals(1, nextPersisted());
    assertEquals(1, flusher.persisted());
    append(2);
    assertEquals(2, nextPersisted());
  }

  @Test
  void aDemandDoesNotWaitForTheInterval() throws Exception {
    start(NEVER, persisted::add);
    append(1);
    append(2);
    flusher.demand(1);

    assertEquals(2, nextPersisted(), "later entries included");
  }

  @Test
  void aDemandThatIsAheadOfTheLogIsMetWhenTheEntryComes() throws Exception {
    start(NEVER, persisted::add);
    flusher.demand(2);
    append(1);
    append(2);

    assertEquals(2, nextPersisted());
  }

  @Test
  void aDemandDuringAForceIsMetByOneBesideIt() throws Exception {
    start(NEVER, persisted::add);
    append(1);
    flusher.demand(1);
    assertEquals(1, nextPersisted(), "the file and its folder are on disk");
    CountDownLatch entered = storage.holdForces();
    append(2);
    flusher.demand(2);
    assertTrue(entered.await(20, TimeUnit.SECONDS));
    storage.letOthersPass();
    append(3);
    flusher.demand(3);

    assertEquals(3, nextPersisted(), "while the first force still runs");
    assertEquals(3, flusher.persisted());
    storage.releaseForces();
    assertEquals(3, nextPersisted(), "the first has nothing to add");
  }

  @Test
  void whatIsAppendedWhileOthersForceIsFlushedInTheBackground() throws Exception {
    start(TimeUnit.MILLISECONDS.toNanos(1), persisted::add);
    append(1);
    assertEquals(1, nextPersisted());
    CountDownLatch entered = storage.holdForces();
    append(2);
    assertTrue(entered.await(20, TimeUnit.SECONDS));
    append(3);
    storage.releaseForces();

    assertEquals(2, nextPersisted());
    assertEquals(3, nextPersisted());
  }

  @Test
  void aDiskThatFailsIsReportedOnceAndNothingIsCalledPersisted() throws Exception {
    start(NEVER, persisted::add);
    storage.failForces(true);
    append(1);
    flusher.demand(1);

    assertNotNull(failures.poll(20, TimeUnit.SECONDS));
    flusher.close();
    assertTrue(persisted.isEmpty());
    assertEquals(0, flusher.persisted());
  }

  @Test
  void aListenerThatFailsStopsTheServerInsteadOfLeavingEveryReadWaiting() throws Exception {
    start(
        NEVER,
        index -> {
          throw new IllegalStateException("a broken invariant");
        });
    append(1);
    flusher.demand(1);

    assertInstanceOf(IllegalStateException.class, failures.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void anErrorInAForceStopsTheServerInsteadOfEndingTheThreadInSilence() throws Exception {
    start(NEVER, persisted::add);
    storage.failForcesWithAnError();
    append(1);
    flusher.demand(1);

    Throwable failure = failures.poll(20, TimeUnit.SECONDS);
    assertNotNull(failure, "told");
    assertInstanceOf(OutOfMemoryError.class, failure.getCause());
    flusher.close();
    assertTrue(failures.isEmpty(), "once");
    assertTrue(persisted.isEmpty());
  }

  @Test
  void anErrorBesideAForceDoesSoToo() throws Exception {
    OutOfMemoryError error = new OutOfMemoryError("no room for the report");
    start(
        NEVER,
        index -> {
          throw error;
        });
    append(1);
    flusher.demand(1);

    assertSame(error, failures.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void closingWaitsForTheForceThatRuns() throws Exception {
    start(NEVER, persisted::add);
    CountDownLatch entered = storage.holdForces();
    append(1);
    flusher.demand(1);
    assertTrue(entered.await(20, TimeUnit.SECONDS));
    Thread closer = new Thread(flusher::close, "closer");
    closer.start();
    assertFalse(flusher.persisted() > 0);
    storage.releaseForces();
    closer.join(TimeUnit.SECONDS.toMillis(20));

    assertFalse(closer.isAlive());
    assertEquals(1, flusher.persisted());
  }
}
