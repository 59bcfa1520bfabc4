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
package org.orcagrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestQueue;
import org.orcagrid.ddp.store.Bytes;

/** Which session an operation gets, with sessions whose operations the test ends. */
class SharedKeysTest {
  private final List<Session> sessions = new ArrayList<>();
  private int most = 8;
  private Object content = "the first";
  private SharedKeys shared;
  private KeyView<String, Long> view;

  /** A session that is worked by hand. */
  private final class Session implements NodeSession {
    private final RequestQueue requests = new RequestQueue(16);
    private final Object keys = content;
    private final List<OperationKind> begun = new ArrayList<>();

    @Override
    public int room() {
      return requests.room();
    }

    @Override
    public Request next() {
      return requests.next();
    }

    @Override
    public void submit(Request request) {
      begun.add(request.kind());
      requests.submit();
    }

    void end(Outcome outcome) {
      Request first = requests.first();
      first.outcome(outcome);
      first.result().length(-1);
      requests.complete(first);
    }

    @Override
    public boolean isWorker() {
      return false;
    }

    @Override
    public boolean isEnded() {
      return false;
    }

    @Override
    public Object keys() {
      return keys;
    }

    @Override
    public boolean awaitRoom(long nanosMax) {
      return room() > 0;
    }

    @Override
    public boolean await(Request request, long nanosMax) {
      return request.isDone();
    }

    @Override
    public boolean read(Bytes key, Bytes into) {
      into.length(-1);
      return readsAtOnce;
    }

    @Override
    public Outcome write(Bytes key, Bytes value) {
      begun.add(OperationKind.WRITE);
      return Outcome.DONE;
    }

    @Override
    public void close() {
      sessions.remove(this);
    }
  }

  private CompletionStage<Session> another() {
    if (sessions.size() >= most) {
      return CompletableFuture.failedFuture(new IllegalStateException("All are in use"));
    }
    sessions.add(new Session());
    return CompletableFuture.completedFuture(sessions.get(sessions.size() - 1));
  }

  /** Whether a node's copy answers relaxed reads. */
  private boolean readsAtOnce = true;

  @BeforeEach
  void open() {
    SharedViews views = new SharedViews(unused -> shared);
    sessions.add(new Session());
    shared = SharedKeys.open(views.source(this::another, 1024, new Deadlines()), sessions.get(0));
    view = views.view(Codec.STRING, Codec.LONG);
  }

  /** Where an operation goes. */
  private Session of(Runnable operation) {
    List<Integer> before = sessions.stream().map(each -> each.begun.size()).toList();
    operation.run();
    for (int i = 0; i < sessions.size(); i++) {
      if (sessions.get(i).begun.size() > (i < before.size() ? before.get(i) : 0)) {
        return sessions.get(i);
      }
    }
    throw new AssertionError("Nothing was begun");
  }

  private Session release() {
    return of(() -> view.setReleaseAsync("flag", 1L));
  }

  @Test
  void whatIsUnderWayHasSessionsOfItsOwnWhileThereAreSome() {
    List<Session> used = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      used.add(of(() -> view.getAcquireAsync("k")));
    }
    assertEquals(4, used.stream().distinct().count());
    assertEquals(8, sessions.size(), "four are for relaxed accesses");
    used.get(2).end(Outcome.DONE);
    assertSame(used.get(2), of(() -> view.getAndAddAsync("k", 1)), "it is free again");
    for (int i = 0; i < 4 * 16 - 4; i++) {
      // Of two it takes the emptier one: they fill up together, more or less.
      view.getAcquireAsync("k");
    }
    assertThrows(
        OverloadException.class,
        () -> {
          while (true) {
            view.getAcquireAsync("k", answer -> {});
          }
        });
  }

  @Test
  void aReleaseAfterRelaxedWritesGoesWhereTheyWent() {
    assertEquals(5, sessions.size());
    Session stripe = of(() -> view.set("data", 1L));
    assertSame(stripe, of(() -> view.setAsync("data", 2L)));
    stripe.end(Outcome.DONE);
    assertSame(stripe, release());
    assertSame(stripe, release(), "the one before has not ended");
    stripe.end(Outcome.DONE);
    Session free = release();
    assertSame(sessions.get(4), free, "what was written is safe");
    free.end(Outcome.DONE);
    stripe.end(Outcome.DONE);
    assertSame(free, of(() -> view.compareAndSetAsync("flag", 1L, 2L)));
  }

  @Test
  void whatHasNotReleasedDoesNotCount() {
    Session stripe = of(() -> view.set("data", 1L));
    for (Outcome each : List.of(Outcome.NOT_EQUAL, Outcome.UNKNOWN, Outcome.STORE_FULL)) {
      assertSame(stripe, of(() -> view.compareAndSetAsync("flag", 1L, 2L)));
      stripe.end(each);
    }
    Session free = of(() -> view.getAcquireAsync("flag"));
    assertSame(sessions.get(4), free, "an acquire releases nothing");
    free.end(Outcome.DONE);
    assertSame(stripe, of(() -> view.getAndAddAsync("flag", 1)));
    // Another one, before that has ended.
    view.set("data", 2L);
    stripe.end(Outcome.DONE);
    assertSame(stripe, release(), "it came after the last one that has ended");
    stripe.end(Outcome.DONE);
    assertSame(free, release());
  }

  @Test
  void relaxedWritesOfAThreadAreOfOneSessionAndReadsOfAny() {
    Session stripe = of(() -> view.set("data", 1L));
    for (int i = 0; i < 10; i++) {
      assertSame(stripe, of(() -> view.setAsync("data", 2L)));
    }
    readsAtOnce = false;
    assertSame(sessions.get(4), of(() -> view.getAsync("data")));
    view.getAsync("data");
    assertEquals(6, sessions.size(), "and not behind each other");
  }

  @Test
  void sessionsOfOtherContentEndTheView() {
    content = "another";
    Session free = of(() -> view.getAcquireAsync("k"));
    CompletableFuture<Long> failed = view.getAcquireAsync("k").toCompletableFuture();
    assertEquals(5, sessions.size(), "the new one was given back");
    CompletableFuture<Long> next = view.getAcquireAsync("k").toCompletableFuture();
    assertThrows(java.util.concurrent.CompletionException.class, next::join);
    assertThrows(IllegalStateException.class, () -> view.get("k"));
    free.end(Outcome.DONE);
    assertEquals(true, shared.isEnded());
    assertEquals(false, failed.isCompletedExceptionally(), "it was begun before");
  }
}
