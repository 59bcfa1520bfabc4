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
package org.orcagrid.server.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/** One thread holds replies while another opens the gate. */
@Timeout(60)
class ReplyGateRaceTest {
  private static final int REPLIES = 2_000;

  private final ExecutorService threads = Executors.newFixedThreadPool(3);
  private final CyclicBarrier together = new CyclicBarrier(2);
  private final ReplyGate gate = new ReplyGate(0, 0, (durable, applied) -> {});
  private final RecordingConnection connection = new RecordingConnection();
  private final HeldReplies replies = new HeldReplies(connection, gate, new GateMetrics(), REPLIES);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @RepeatedTest(20)
  void noReplyIsForgottenOrOvertaken() throws Exception {
    Future<?> holder =
        threads.submit(
            () -> {
              together.await();
              for (int i = 1; i <= REPLIES; i++) {
                replies.send(RecordingConnection.reply(i), i, i / 2, 0);
              }
              return null;
            });
    Future<?> opener =
        threads.submit(
            () -> {
              together.await();
              for (int i = 1; i <= REPLIES; i++) {
                gate.advance(i, i);
              }
              return null;
            });
    holder.get(30, TimeUnit.SECONDS);
    opener.get(30, TimeUnit.SECONDS);

    List<Integer> all = IntStream.rangeClosed(1, REPLIES).boxed().toList();
    assertEquals(all, connection.delivered());
    assertEquals(0, gate.held());
  }

  @RepeatedTest(20)
  void closingWhileTheGateOpensLeavesNothingHeld() throws Exception {
    Future<?> holder =
        threads.submit(
            () -> {
              together.await();
              for (int i = 1; i <= REPLIES; i++) {
                replies.send(RecordingConnection.reply(i), i, 0, 0);
                if (i == REPLIES / 2) {
                  replies.close();
                }
              }
              return null;
            });
    Future<?> opener =
        threads.submit(
            () -> {
              together.await();
              for (int i = 1; i <= REPLIES / 4; i++) {
                gate.advance(i, 0);
              }
              return null;
            });
    holder.get(30, TimeUnit.SECONDS);
    opener.get(30, TimeUnit.SECONDS);

    List<Integer> delivered = connection.delivered();
    assertEquals(
        IntStream.rangeClosed(1, delivered.size()).boxed().toList(), delivered, "in order");
    assertEquals(0, gate.held());
  }
}
