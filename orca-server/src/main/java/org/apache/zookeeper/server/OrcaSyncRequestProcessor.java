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
package org.apache.zookeeper.server;

import java.io.Flushable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.common.Time;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.role.OrcaRole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends transactions to the log and acknowledges them: after they were forced (synchronous
 * durability), or as soon as the operating system has them, with forcing left to the flusher.
 *
 * <p>Takes whatever is queued as one batch, up to a bound, and never waits to fill one.
 */
public final class OrcaSyncRequestProcessor extends SyncRequestProcessor {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaSyncRequestProcessor.class);

  private final LinkedBlockingQueue<Request> queued = new LinkedBlockingQueue<>();
  private final List<Request> batch = new ArrayList<>();
  private final Semaphore snapshotInProgress = new Semaphore(1);
  private final ZooKeeperServer server;
  private final RequestProcessor next;
  private final OrcaTxnSnapLog log;
  private final OrcaRole role;
  private final BooleanSupplier mustForce;
  private final int batchMax;
  private int snapshotAfterCount;
  private long snapshotAfterBytes;
  private long lastAppended = -1;

  /** Whether the batch holds something that is forced before it is acknowledged in every mode. */
  private boolean batchHoldsReconfig;

  private volatile boolean started;

  /**
   * A processor that is still to be started.
   *
   * @param next where acknowledged transactions go, null for an observer's
   * @param mustForce whether a batch is to be forced before it is acknowledged; asked for each
   *     batch
   */
  public OrcaSyncRequestProcessor(
      ZooKeeperServer server,
      RequestProcessor next,
      OrcaTxnSnapLog log,
      OrcaRole role,
      BooleanSupplier mustForce) {
    super(server, next);
    this.server = server;
    this.next = next;
    this.log = log;
    this.role = role;
    this.mustForce = mustForce;
    this.batchMax = server.getMaxBatchSize() > 0 ? server.getMaxBatchSize() : 1000;
  }

  @Override
  public synchronized void start() {
    started = true;
    super.start();
  }

  @Override
  public void run() {
    try {
      drawSnapshotThresholds();
      boolean running = true;
      while (running) {
        ServerMetrics.getMetrics().SYNC_PROCESSOR_QUEUE_SIZE.add(queued.size());
        Request request = queued.take();
        long startTime = Time.currentElapsedTime();
        // What arrives while the batch is appended joins it: one force for more writes.
        for (int accepted = 1; request != null; accepted++) {
          running = request != Request.requestOfDeath;
          if (!running) {
            break;
          }
          accept(request, startTime);
          request = accepted < batchMax ? queued.poll() : null;
        }
        finishBatch();
        ServerMetrics.getMetrics().SYNC_PROCESS_TIME.add(Time.currentElapsedTime() - startTime);
      }
    } catch (Throwable t) {
      handleException(getName(), t);
    }
    LOG.info("SyncRequestProcessor exited!");
  }

  private void accept(Request request, long now)
      throws IOException, RequestProcessor.RequestProcessorException {
    ServerMetrics.getMetrics().SYNC_PROCESSOR_QUEUE_TIME.add(now - request.syncQueueStartTime);
    if (!request.isThrottled() && server.getZKDatabase().append(request)) {
      lastAppended = request.getHdr().getZxid();
      batch.add(request);
      batchHoldsReconfig |= request.getHdr().getType() == OpCode.reconfig;
      snapshotIfDue();
    } else if (batch.isEmpty()) {
      if (next != null) {
        next.processRequest(request);
      }
    } else {
      // A standalone server's read waits behind the writes before it.
      batch.add(request);
    }
  }

  private void finishBatch() throws IOException, RequestProcessor.RequestProcessorException {
    if (!batch.isEmpty()) {
      ServerMetrics.getMetrics().BATCH_SIZE.add(batch.size());
      long start = System.nanoTime();
      // A configuration decides which quorum is asked for everything else, so it is never lost.
      if (batchHoldsReconfig || mustForce.getAsBoolean()) {
        log.commit();
        role.onForced(lastAppended, System.nanoTime() - start);
      } else {
        log.log().writeOut();
        role.onAppended(lastAppended);
      }
      ServerMetrics.getMetrics()
          .SYNC_PROCESSOR_FLUSH_TIME
          .add((System.nanoTime() - start) / 1_000_000);
      if (next != null) {
        long now = Time.currentElapsedTime();
        for (Request request : batch) {
          ServerMetrics.getMetrics()
              .SYNC_PROCESSOR_QUEUE_AND_FLUSH_TIME
              .add(now - request.syncQueueStartTime);
          next.processRequest(request);
        }
      }
      batch.clear();
      batchHoldsReconfig = false;
    }
    if (next instanceof Flushable flushable) {
      flushable.flush();
    }
  }

  private void snapshotIfDue() throws IOException {
    ZKDatabase database = server.getZKDatabase();
    boolean countReached = database.getTxnCount() > snapshotAfterCount;
    boolean bytesReached = snapshotAfterBytes > 0 && database.getTxnSize() > snapshotAfterBytes;
    if (!countReached && !bytesReached) {
      return;
    }
    drawSnapshotThresholds();
    database.rollLog();
    if (!snapshotInProgress.tryAcquire()) {
      LOG.warn("A snapshot is still being written; skipping one");
      return;
    }
    new ZooKeeperThread("Snapshot Thread") {
      @Override
      public void run() {
        try {
          server.takeSnapshot();
        } catch (IOException e) {
          LOG.error("The snapshot failed; the log has all that it would have had", e);
        } finally {
          snapshotInProgress.release();
        }
      }
    }.start();
  }

  /** Random within a half, so that the servers of an ensemble do not snapshot at the same time. */
  private void drawSnapshotThresholds() {
    int count = getSnapCount();
    snapshotAfterCount = count / 2 + ThreadLocalRandom.current().nextInt(Math.max(1, count / 2));
    long bytes = ZooKeeperServer.getSnapSizeInBytes();
    snapshotAfterBytes =
        bytes <= 0 ? 0 : bytes / 2 + ThreadLocalRandom.current().nextLong(Math.max(1, bytes / 2));
  }

  @Override
  public void processRequest(Request request) {
    request.syncQueueStartTime = Time.currentElapsedTime();
    queued.add(request);
    ServerMetrics.getMetrics().SYNC_PROCESSOR_QUEUED.add(1);
  }

  /** Appends what is queued, forces the log and ends the thread. */
  @Override
  public void shutdown() {
    LOG.info("Shutting down");
    queued.add(Request.requestOfDeath);
    try {
      if (started) {
        join();
      }
      log.commit();
    } catch (InterruptedException e) {
      LOG.warn("Interrupted while waiting for {} to finish", this);
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.error("The end of the log could not be forced", e);
    }
    if (next != null) {
      next.shutdown();
    }
  }
}
