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
package org.orcagrid.ddp.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;

/** A session of Kite's keys with keys and values of text, for one thread. */
final class KeyClient implements AutoCloseable {
  private final NodeSession session;

  KeyClient(NodeSession session) {
    this.session = session;
  }

  /** How an operation has ended; what it does not have is null. */
  Outcome outcome(OperationKind kind, String key, String expected, String value) {
    return run(kind, key, expected, value, 0).outcome();
  }

  private Request run(OperationKind kind, String key, String expected, String value, long delta) {
    Request request = session.next();
    assertNotNull(request, "there is room");
    request.kind(kind);
    request.key().set(bytes(key));
    request.expected().set(bytes(expected));
    request.value().set(bytes(value));
    request.delta(delta);
    session.submit(request);
    assertTrue(session.await(request, ContractNodes.PATIENCE_NANOS), "in time");
    return request;
  }

  private Request done(OperationKind kind, String key, String value, long delta) {
    Request done = run(kind, key, null, value, delta);
    assertEquals(Outcome.DONE, done.outcome());
    return done;
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(UTF_8);
  }

  private static String text(Request done) {
    byte[] result = done.result().toArray();
    return result == null ? null : new String(result, UTF_8);
  }

  void write(String key, String value) {
    done(OperationKind.WRITE, key, value, 0);
  }

  String read(String key) {
    return text(done(OperationKind.READ, key, null, 0));
  }

  void release(String key, String value) {
    done(OperationKind.RELEASE, key, value, 0);
  }

  String acquire(String key) {
    return text(done(OperationKind.ACQUIRE, key, null, 0));
  }

  /** The number that was there before. */
  long add(String key, long delta) {
    Request added = done(OperationKind.GET_AND_ADD, key, null, delta);
    return added.result().length() < 0 ? 0 : added.result().buffer().getLong(0);
  }

  /** What was there before. */
  String getAndSet(String key, String value) {
    return text(done(OperationKind.GET_AND_SET, key, value, 0));
  }

  boolean compareAndSet(String key, String expected, String value) {
    Outcome ended = outcome(OperationKind.COMPARE_AND_SET, key, expected, value);
    assertTrue(ended == Outcome.DONE || ended == Outcome.NOT_EQUAL, ended::toString);
    return ended == Outcome.DONE;
  }

  /** Submits additions without waiting for them until there is no room; how many. */
  int addUntilRefused(String key) {
    int submitted = 0;
    for (Request add = session.next(); add != null; add = session.next()) {
      add.kind(OperationKind.GET_AND_ADD);
      add.key().set(bytes(key));
      add.delta(1);
      session.submit(add);
      submitted++;
    }
    return submitted;
  }

  /** Waits until there is room again. */
  void awaitRoom() {
    assertTrue(session.awaitRoom(ContractNodes.PATIENCE_NANOS), "in time");
  }

  @Override
  public void close() {
    session.close();
  }
}
