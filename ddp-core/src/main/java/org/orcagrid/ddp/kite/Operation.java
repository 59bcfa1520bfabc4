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
package org.orcagrid.ddp.kite;

import org.orcagrid.ddp.store.Bytes;

/**
 * What a session asks of its worker, and what came of it: one object from the caller to the worker
 * and back, whose buffers the worker reads and fills in place. The worker's from {@link
 * ProtocolWorker#begin} until the operation has completed. Used again; allocates nothing once its
 * buffers have grown to what is put into them.
 */
public class Operation {
  private static final int BYTES = 64;

  final Bytes key;
  final Bytes value;
  final Bytes expected;
  final Bytes result;
  OperationKind kind;
  long delta;
  Outcome outcome;

  /** An operation to be filled in. */
  public Operation() {
    Bytes[] own = Bytes.several(4, BYTES);
    this.key = own[0];
    this.value = own[1];
    this.expected = own[2];
    this.result = own[3];
  }

  /** The key, to be filled in. */
  public final Bytes key() {
    return key;
  }

  /** The value to write, to be filled in. */
  public final Bytes value() {
    return value;
  }

  /** The value that a compare-and-set expects, to be filled in. */
  public final Bytes expected() {
    return expected;
  }

  /** Says what is to be done. */
  public final void kind(OperationKind wanted) {
    this.kind = wanted;
  }

  /** What is to be done. */
  public final OperationKind kind() {
    return kind;
  }

  /** What to add. */
  public final void delta(long toAdd) {
    this.delta = toAdd;
  }

  /** What is to be added. */
  public final long delta() {
    return delta;
  }

  /** What was read: of a read-modify-write, what was there before it. */
  public final Bytes result() {
    return result;
  }

  /** Says how it has ended. */
  public final void outcome(Outcome ended) {
    this.outcome = ended;
  }

  /** How it has ended. */
  public final Outcome outcome() {
    return outcome;
  }
}
