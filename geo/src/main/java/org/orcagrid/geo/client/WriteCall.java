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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.partition.WriteAnswer;
import org.orcagrid.geo.protocol.ClientAnswer;
import org.orcagrid.geo.protocol.ClientRequest;
import org.orcagrid.geo.replica.Condition;
import org.orcagrid.geo.replica.LocalWrite;
import org.orcagrid.geo.replica.Outcome;
import org.orcagrid.geo.replica.WriteId;
import org.orcagrid.geo.session.WriteGuarantee;

/**
 * A write until its leader has answered it, or its time is over. It is tried again in its
 * datacenter, where it takes effect once.
 */
final class WriteCall {
  private static final long PAUSE_MILLIS = 20;

  /** Beyond its own time nobody tries a write again. */
  private static final long EXPIRES_MILLIS = 60_000;

  private final RemoteGeo geo;
  private final GeoSession session;
  private final int datacenter;
  private final int partition;
  private final WriteGuarantee guarantee;
  private final CompletableFuture<Written> result = new CompletableFuture<>();
  private final WriteId id;
  private LocalWrite write;
  private long endNanos;
  private String reason = "no node has answered";

  /** Whether some node may have got it that has not said what came of it. */
  private volatile boolean isUnderWay;

  WriteCall(
      RemoteGeo geo, GeoSession session, int datacenter, int partition, WriteGuarantee guarantee) {
    this.geo = geo;
    this.session = session;
    this.datacenter = datacenter;
    this.partition = partition;
    this.guarantee = guarantee;
    this.id = session.begin();
  }

  CompletableFuture<Written> begin(byte[] key, byte[] value, Condition condition) {
    Duration timeout = geo.settings().timeout();
    endNanos = System.nanoTime() + timeout.toNanos();
    write =
        new LocalWrite(id, HybridClock.of(geo.millis() + EXPIRES_MILLIS), 0, condition, key, value);
    attempt(geo.leader(datacenter, partition));
    return result
        .orTimeout(timeout.toMillis() + PAUSE_MILLIS, TimeUnit.MILLISECONDS)
        .handle(
            (done, failure) -> {
              session.end(id);
              if (failure == null) {
                return done;
              }
              geo.leader(datacenter, partition, -1);
              throw failure instanceof GeoException known
                  ? known
                  : new OutcomeUnknownException(
                      "Nobody says in " + timeout + " whether it was written: " + reason);
            });
  }

  private void attempt(int node) {
    boolean waits = geo.settings().trial().waitingWrites();
    long left = Math.max(0, endNanos - System.nanoTime());
    ClientRequest request =
        new ClientRequest.Write(
            partition,
            write,
            waits ? 0 : session.dependency(guarantee),
            waits ? session.requirement(partition, guarantee) : Requirement.NONE,
            waits ? TimeUnit.NANOSECONDS.toMicros(left) : 0);
    Object unused =
        geo.ask(node, request)
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null) {
                    isUnderWay = true;
                    again(failure.getMessage(), -1);
                  } else if (answer instanceof ClientAnswer.OfWrite of) {
                    onAnswer(node, of.answer());
                  } else {
                    result.completeExceptionally(new GeoException("A node answers with " + answer));
                  }
                });
  }

  private void onAnswer(int node, WriteAnswer answer) {
    if (answer instanceof WriteAnswer.Done done) {
      geo.leader(datacenter, partition, node);
      onDone(done);
    } else if (answer instanceof WriteAnswer.NotLeading not) {
      again("node " + node + " does not lead", not.leader());
    } else if (answer instanceof WriteAnswer.ClockAhead ahead) {
      String why =
          "The session has seen a time that is "
              + ahead.millis()
              + " ms ahead of the leader's clock; set the clocks of the datacenters";
      // The first attempt may still come through: this one is not done, and that one may be.
      result.completeExceptionally(
          isUnderWay ? new OutcomeUnknownException(why) : new GeoException(why));
    } else if (answer instanceof WriteAnswer.Removed) {
      String gone =
          "Datacenter "
              + geo.datacenters().get(datacenter)
              + " was removed from the store; write in another one";
      result.completeExceptionally(
          isUnderWay ? new OutcomeUnknownException(gone) : new GeoException(gone));
    } else if (answer instanceof WriteAnswer.NotMet) {
      result.completeExceptionally(new GeoException("What the session has seen has not come"));
    } else {
      // The leader hands over, or its log has no room.
      again("too much is under way at node " + node + "; write less at once", node);
    }
  }

  private void onDone(WriteAnswer.Done done) {
    Outcome outcome = done.outcome();
    geo.saw(outcome.version().time());
    switch (outcome.result()) {
      case DONE -> {
        session.wrote(partition, outcome.version(), done.everywhere());
        result.complete(new Written(true, outcome.version()));
      }
      case CONDITION_FAILED -> result.complete(new Written(false, outcome.version()));
      case EXPIRED, FORGOTTEN ->
          result.completeExceptionally(
              new OutcomeUnknownException(
                  "The write came too late to be done once for sure: " + outcome.result()));
    }
  }

  private void again(String why, int leader) {
    boolean isTold = leader >= 0 && leader != geo.leader(datacenter, partition);
    reason = why;
    geo.leader(datacenter, partition, leader);
    if (System.nanoTime() - endNanos < 0) {
      Object unused =
          geo.loop()
              .schedule(
                  () -> attempt(geo.leader(datacenter, partition)),
                  isTold ? 1 : PAUSE_MILLIS,
                  TimeUnit.MILLISECONDS);
    }
  }
}
