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
package org.orcagrid.simulator.ddp;

import java.util.List;
import java.util.stream.Stream;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.simulator.checker.Access;

/**
 * An operation that has ended, or never will.
 *
 * @param client whose
 * @param kind what
 * @param key the key's number, -1 if it is about none
 * @param clock the version that was read or, if it may write, written; 0 for none
 * @param transaction the number of the transaction that it belongs to, -1 for none
 * @param scope the number of the scope, -1 for none
 * @param beganNanos when it was asked
 * @param endedNanos when it was answered; the greatest there is if it never was
 * @param status what came of it; open if nobody knows
 * @param values what it has found and written
 * @param session the number of the session, which ends when its client goes to another node
 */
record DdpEvent(
    int client,
    Operation.Kind kind,
    int key,
    long clock,
    int transaction,
    int scope,
    long beganNanos,
    long endedNanos,
    Operation.Status status,
    Values values,
    int session) {
  static final long NEVER = Long.MAX_VALUE;

  /**
   * Versions and values; {@link Access#ABSENT} stands for no value.
   *
   * @param base the version that a read-modify-write has found
   * @param found the value that was read
   * @param argument the value that is written
   * @param expected the value that is compared
   */
  record Values(long base, long found, long argument, long expected) {}

  /** One whose values are as the versions. */
  DdpEvent(
      int client,
      Operation.Kind kind,
      int key,
      long clock,
      int transaction,
      int scope,
      long beganNanos,
      long endedNanos,
      Operation.Status status) {
    this(
        client,
        kind,
        key,
        clock,
        transaction,
        scope,
        beganNanos,
        endedNanos,
        status,
        new Values(0, clock == 0 ? Access.ABSENT : clock, clock, Access.ABSENT),
        client);
  }

  boolean isDone() {
    return status == Operation.Status.DONE;
  }

  /**
   * Reads and writes only: of an acquire a read, of a release a write, of a read-modify-write its
   * read, if it is done, and its write, if there is one.
   */
  List<DdpEvent> parts() {
    if (kind == Operation.Kind.ACQUIRE) {
      return List.of(as(Operation.Kind.READ, clock));
    }
    if (kind == Operation.Kind.RELEASE) {
      return List.of(as(Operation.Kind.WRITE, clock));
    }
    if (!kind.isReadModifyWrite()) {
      return List.of(this);
    }
    Stream<DdpEvent> read =
        isDone() ? Stream.of(as(Operation.Kind.READ, values.base())) : Stream.of();
    Stream<DdpEvent> write = clock == 0 ? Stream.of() : Stream.of(as(Operation.Kind.WRITE, clock));
    return Stream.concat(read, write).toList();
  }

  private DdpEvent as(Operation.Kind part, long version) {
    return new DdpEvent(
        client,
        part,
        key,
        version,
        transaction,
        scope,
        beganNanos,
        endedNanos,
        status,
        values,
        session);
  }
}
