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
package org.apache.zookeeper.server.quorum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestProcessor;
import org.apache.zookeeper.server.ZooKeeperServerListener;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The order of reads and commits on the leader, each named by its session. */
@Timeout(30)
class OrcaLeaderCommitProcessorTest {
  private static final long SLOW_READER = 1;
  private static final long WRITER = 2;
  private static final long READER = 3;
  private static final long ELSEWHERE = 4;

  private final BlockingQueue<String> executed = new LinkedBlockingQueue<>();
  private final CountDownLatch slowReadRuns = new CountDownLatch(1);
  private final CountDownLatch slowReadEnds = new CountDownLatch(1);

  /** What the leader was asked to commit and has not, since a proposal is outstanding. */
  private final List<Request> toBePlaced = new ArrayList<>();

  private boolean outstanding;
  private int lastCxid;
  private CommitProcessor processor;

  @BeforeEach
  void start() {
    RequestProcessor last =
        new RequestProcessor() {
          @Override
          public void processRequest(Request request) {
            execute(request);
          }

          @Override
          public void shutdown() {}
        };
    ZooKeeperServerListener listener =
        (thread, code) -> executed.add("ended: " + thread + " " + code);
    OrcaLeaderCommitProcessor.Order order =
        new OrcaLeaderCommitProcessor.Order() {
          @Override
          public boolean isAhead() {
            return true;
          }

          @Override
          public void place(Request read) {
            if (outstanding) {
              toBePlaced.add(read);
            } else {
              processor.commit(read);
            }
          }
        };
    processor = new OrcaLeaderCommitProcessor(last, "test", listener, read -> true, order);
    processor.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    slowReadEnds.countDown();
    processor.shutdown();
    processor.join();
  }

  private void execute(Request request) {
    try {
      if (request.sessionId == SLOW_READER) {
        slowReadRuns.countDown();
        slowReadEnds.await();
      }
      executed.add(Request.op2String(request.type) + " of " + request.sessionId);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Request request(long session, int type) {
    lastCxid++;
    return new Request(null, session, lastCxid, type, null, null);
  }

  private static Request committed(Request write) {
    TxnHeader header = new TxnHeader(write.sessionId, write.cxid, 1, 1, write.type);
    return new Request(write.sessionId, write.cxid, write.type, header, null, 1);
  }

  private void expect(String... all) throws InterruptedException {
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < all.length; i++) {
      seen.add(executed.poll(10, TimeUnit.SECONDS));
    }
    assertEquals(List.of(all), seen);
  }

  /** Something slow is executed, and the processor waits for it before it applies a commit. */
  private void keepBusy() throws InterruptedException {
    processor.processRequest(slowRead());
    slowReadRuns.await();
    processor.commit(committed(request(ELSEWHERE, OpCode.delete)));
    while (Arrays.stream(processor.getStackTrace())
        .noneMatch(each -> each.getMethodName().equals("waitForEmptyPool"))) {
      Thread.onSpinWait();
    }
  }

  /** A ping is executed as a read is, and has no reason to wait for anything itself. */
  private Request slowRead() {
    return request(SLOW_READER, OpCode.ping);
  }

  @Test
  void aReadComesBehindWhatWasCommittedWhenItCame() throws InterruptedException {
    keepBusy();
    processor.commit(committed(request(ELSEWHERE, OpCode.setData)));
    processor.processRequest(request(READER, OpCode.getData));
    slowReadEnds.countDown();
    expect("ping of 1", "delete of 4", "setData of 4", "getData of 3");
  }

  @Test
  void soDoesASync() throws InterruptedException {
    keepBusy();
    processor.commit(committed(request(ELSEWHERE, OpCode.setData)));
    processor.processRequest(request(READER, OpCode.sync));
    slowReadEnds.countDown();
    expect("ping of 1", "delete of 4", "setData of 4", "sync of 3");
  }

  @Test
  void theOrderOfASessionStays() throws InterruptedException {
    keepBusy();
    processor.commit(committed(request(ELSEWHERE, OpCode.setData)));
    processor.processRequest(request(READER, OpCode.getData));
    processor.processRequest(request(READER, OpCode.exists));
    processor.processRequest(request(READER, OpCode.ping));
    Request write = request(READER, OpCode.create);
    processor.processRequest(write);
    processor.commit(committed(write));
    slowReadEnds.countDown();
    expect(
        "ping of 1",
        "delete of 4",
        "setData of 4",
        "getData of 3",
        "exists of 3",
        "ping of 3",
        "create of 3");
  }

  @Test
  void aReadKeepsBehindAnOutstandingWriteOfAnotherSession() throws InterruptedException {
    Request write = request(WRITER, OpCode.create);
    outstanding = true;
    processor.processRequest(write);
    processor.processRequest(request(READER, OpCode.getData));
    processor.processRequest(request(READER, OpCode.ping));
    outstanding = false;
    processor.commit(committed(write));
    toBePlaced.forEach(processor::commit);
    expect("create of 2", "getData of 3", "ping of 3");
  }

  @Test
  void aWriteOfTheSameSessionAndNumberFromElsewhereIsExecutedOnceAsAWrite() throws Exception {
    outstanding = true;
    Request read = request(READER, OpCode.getData);
    processor.processRequest(read);
    Request write = new Request(null, READER, read.cxid, OpCode.setData, null, null);
    processor.commit(committed(write));
    expect("setData of " + READER, "getData of " + READER);
    // What the leader commits for the read finds it executed.
    processor.commit(new Request(null, READER, read.cxid, OpCode.sync, null, null));
    expect("sync of " + READER);
    assertEquals(null, read.getHdr());
  }
}
