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
package org.orcagrid.ddp.replica.consistency;

import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;

/** A version on its way to all members, at a node that sees to it. */
final class Invalidation {
  private final Write write;

  /** Null if it is done, or somebody else's. */
  private Operation operation;

  private int has;
  private int persisted;
  private boolean saidValid;
  private boolean saidDurable;

  private final boolean standIn;

  private Invalidation(Write write, Operation operation, boolean standIn) {
    this.write = write;
    this.operation = operation;
    this.standIn = standIn;
  }

  Invalidation(Write write, Operation operation) {
    this(write, operation, false);
  }

  /** What another node has begun, and this one ends. */
  static Invalidation standIn(Write write) {
    return new Invalidation(write, null, true);
  }

  boolean isStandIn() {
    return standIn;
  }

  Write write() {
    return write;
  }

  /** What waits for it at this node; null if nothing does, as where it is somebody else's. */
  Operation operation() {
    return operation;
  }

  Operation takeOperation() {
    Operation taken = operation;
    operation = null;
    return taken;
  }

  /** These nodes, as a mask, have it: see {@link ReplicaMessage#CONSISTENCY}. */
  void acknowledge(int nodes, int what) {
    if ((what & ReplicaMessage.CONSISTENCY) != 0) {
      has |= nodes;
    }
    if ((what & ReplicaMessage.PERSISTENCY) != 0) {
      persisted |= nodes;
    }
  }

  /** Nodes that have joined know nothing of it yet. */
  void forget(int nodes) {
    has &= ~nodes;
    persisted &= ~nodes;
  }

  /** The members that are not known to have it. */
  int missing(int members) {
    return members & ~has;
  }

  boolean isPersisted(int members) {
    return (members & ~persisted) == 0;
  }

  /** Whether all have had it, which nothing undoes. */
  boolean isDecided() {
    return saidValid;
  }

  /** All have it; whether that is new. */
  boolean decide() {
    boolean isNew = !saidValid;
    saidValid = true;
    return isNew;
  }

  boolean isSaidDurable() {
    return saidDurable;
  }

  /** All have it durable; whether that is new. */
  boolean saidDurable() {
    boolean isNew = !saidDurable;
    saidDurable = true;
    return isNew;
  }

  @Override
  public String toString() {
    return write.toString();
  }
}
