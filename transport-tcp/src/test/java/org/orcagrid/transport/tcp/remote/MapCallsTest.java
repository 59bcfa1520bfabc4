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
package org.orcagrid.transport.tcp.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.map.MapWatcher;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.map.SessionEndedException;
import org.orcagrid.ddp.map.Shown;

/** What a client knows of its requests when its connection is lost, or too much is under way. */
class MapCallsTest {
  private static final int RECORD_BYTES = 64;

  private final MapCalls calls = new MapCalls(MapCalls.CLIENT_MAX);
  private final ByteBuf out = Unpooled.buffer();

  private static final class Asked implements MapCalls.Call {
    private int number;
    private boolean answered;
    private Exception failure;

    @Override
    public void write(ByteBuf out, int given) {
      number = given;
      out.writeZero(RECORD_BYTES);
    }

    @Override
    public boolean onAnswer(ClientRecord type, ByteBuf in) {
      answered = type == ClientRecord.DONE;
      return answered;
    }

    @Override
    public void fail(Exception reason) {
      failure = reason;
    }
  }

  private Asked ask() {
    Asked asked = new Asked();
    calls.submit(asked);
    return asked;
  }

  @Test
  void whatWasNotSentWasNotBegun() {
    Asked sent = ask();
    Asked unsent = ask();
    calls.send(out, 1);
    assertTrue(calls.hasMore());
    calls.onLost("the cable was cut");
    assertEquals(SessionEndedException.class, sent.failure.getClass());
    assertInstanceOf(NotBegunException.class, unsent.failure);
    assertTrue(unsent.failure.getMessage().contains("the cable was cut"));
    Asked later = ask();
    assertInstanceOf(NotBegunException.class, later.failure);
  }

  @Test
  void anAnswerEndsItsRequestOnce() throws Exception {
    Asked asked = ask();
    calls.send(out, 1 << 20);
    assertTrue(calls.onRecord(ClientRecord.FOUND, asked.number, out));
    assertFalse(asked.answered);
    calls.onRecord(ClientRecord.DONE, asked.number, out);
    assertTrue(asked.answered);
    assertThrows(
        ClientRecord.MalformedException.class,
        () -> calls.onRecord(ClientRecord.DONE, asked.number, out));
    assertFalse(calls.onRecord(ClientRecord.OPERATE, 1, out), "no node sends that");
  }

  @Test
  void moreThanANodeTakesIsRefusedUntilSomethingEnds() throws Exception {
    List<Asked> all = new ArrayList<>();
    for (int i = 0; i < (1 << 13); i++) {
      all.add(ask());
    }
    assertInstanceOf(RejectedExecutionException.class, ask().failure);
    calls.send(out, Integer.MAX_VALUE);
    calls.onRecord(ClientRecord.DONE, all.get(0).number, out);
    Asked more = ask();
    calls.send(out, Integer.MAX_VALUE);
    assertTrue(more.number != 0, "it was sent");
  }

  @Test
  void watchersHearOfTheEndOfTheConnection() {
    List<String> told = new ArrayList<>();
    calls.watch(
        7,
        new MapWatcher() {
          @Override
          public void onShown(Shown change) {
            told.add("shown");
          }

          @Override
          public void onEnded() {
            told.add("ended");
          }
        });
    calls.onLost("gone");
    calls.onLost("gone");
    assertEquals(List.of("ended"), told);
  }
}
