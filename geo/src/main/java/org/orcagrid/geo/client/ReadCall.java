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
import org.orcagrid.geo.partition.Lag;
import org.orcagrid.geo.partition.ReadAnswer;
import org.orcagrid.geo.protocol.ClientAnswer;
import org.orcagrid.geo.protocol.ClientRequest;
import org.orcagrid.geo.session.ReadGuarantee;

/** A read until some replica has answered it, or its time is over. */
final class ReadCall {
  private static final long PAUSE_MILLIS = 20;

  private final RemoteGeo geo;
  private final GeoSession session;
  private final int datacenter;
  private final int partition;
  private final byte[] key;
  private final ReadGuarantee guarantee;
  private final CompletableFuture<ReadAnswer.Value> result = new CompletableFuture<>();

  /** What the session has seen and is lost with a datacenter, null for nothing. */
  private ReadAnswer.Lost lost;

  private long endNanos;
  private long waitEndNanos;
  private String reason = "no node has answered";

  ReadCall(
      RemoteGeo geo,
      GeoSession session,
      int datacenter,
      int partition,
      byte[] key,
      ReadGuarantee guarantee) {
    this.geo = geo;
    this.session = session;
    this.datacenter = datacenter;
    this.partition = partition;
    this.key = key;
    this.guarantee = guarantee;
  }

  CompletableFuture<ReadAnswer.Value> begin() {
    Duration timeout = geo.settings().timeout();
    Duration within = guarantee.within() == null ? timeout : guarantee.within();
    long now = System.nanoTime();
    endNanos = now + timeout.toNanos();
    waitEndNanos = now + Math.min(within.toNanos(), timeout.toNanos());
    attempt(geo.some(datacenter, partition));
    return result
        .orTimeout(timeout.toMillis() + PAUSE_MILLIS, TimeUnit.MILLISECONDS)
        .handle(
            (value, failure) -> {
              if (failure == null) {
                return value;
              }
              throw failure instanceof GeoException known
                  ? known
                  : new GeoException("No answer in " + timeout + ": " + reason, failure);
            });
  }

  private void attempt(int node) {
    long wait = Math.max(0, waitEndNanos - System.nanoTime());
    ClientRequest request =
        new ClientRequest.Read(
            partition,
            key,
            session.requirement(partition, guarantee),
            TimeUnit.NANOSECONDS.toMicros(wait),
            guarantee.older());
    Object unused =
        geo.ask(node, request).whenComplete((answer, failure) -> onAnswer(answer, failure));
  }

  private void onAnswer(ClientAnswer answer, Throwable failure) {
    if (failure != null) {
      again(failure.getMessage());
    } else if (answer instanceof ClientAnswer.OfRead read) {
      onAnswer(read.answer());
    } else {
      result.completeExceptionally(new GeoException("A node answers with " + answer));
    }
  }

  private void onAnswer(ReadAnswer answer) {
    if (answer instanceof ReadAnswer.Value value) {
      session.read(partition, value.found().version(), value.everywhere());
      geo.saw(value.found().version().time());
      result.complete(value);
    } else if (answer instanceof ReadAnswer.NotMet not) {
      Lag lag = not.lag();
      result.completeExceptionally(
          new GuaranteeNotMetException(
              name(lag), lag.entries(), Duration.ofMillis(lag.ageMillis())));
    } else if (answer instanceof ReadAnswer.Lost gone) {
      onLost(gone);
    } else if (answer instanceof ReadAnswer.Removed) {
      result.completeExceptionally(
          new GeoException(
              "Datacenter "
                  + geo.datacenters().get(datacenter)
                  + " was removed from the store; ask another one"));
    } else if (answer instanceof ReadAnswer.Overloaded) {
      result.completeExceptionally(
          new GeoException("Too many requests wait at the node; ask for less at once"));
    } else {
      again("a node has just been started");
    }
  }

  /** The session is told once, and does without from now on. */
  private void onLost(ReadAnswer.Lost gone) {
    session.lost(partition, gone.datacenter(), gone.cut());
    if (guarantee.older()) {
      lost = gone;
      attempt(geo.some(datacenter, partition));
    } else {
      result.completeExceptionally(
          new GuaranteeNotMetException(geo.datacenters().get(gone.datacenter()), gone.entries()));
    }
  }

  private void again(String why) {
    reason = why;
    if (System.nanoTime() - endNanos < 0) {
      Object unused =
          geo.loop()
              .schedule(
                  () -> attempt(geo.some(datacenter, partition)),
                  PAUSE_MILLIS,
                  TimeUnit.MILLISECONDS);
    }
  }

  private String name(Lag lag) {
    return lag.datacenter() < 0 ? null : geo.datacenters().get(lag.datacenter());
  }

  <V> Seen<V> seen(ReadAnswer.Value answer, V value) {
    Lag lag = answer.lag();
    if (lost != null && lag.datacenter() < 0) {
      lag = new Lag(lost.datacenter(), lost.entries(), 0);
    }
    return new Seen<>(
        value,
        answer.found().version(),
        lag.datacenter() >= 0,
        Duration.ofMillis(lag.ageMillis()),
        name(lag),
        lag.entries());
  }
}
