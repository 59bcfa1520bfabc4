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

import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ReplicaState;

/**
 * Refuses what a model does not have, what is out of order, what is too large, and what there is no
 * memory for.
 */
public final class Admission {
  private final ReplicaState state;
  private final ReplicaSettings settings;
  private final Scopes scopes;

  /** Admission of operations to a replica. */
  public Admission(ReplicaState state, Scopes scopes) {
    this.state = state;
    this.settings = state.settings();
    this.scopes = scopes;
  }

  /** Refuses what cannot be submitted. */
  public void require(ReplicaSession session, Operation operation) {
    requireSupported(operation.kind());
    session.requireInOrder(operation.kind());
    if (operation.kind().mayWrite()) {
      requireRoom(session, operation);
      requireMemory(operation.key(), operation.value());
    } else if (operation.kind() == Operation.Kind.BATCH) {
      requirePlace(operation.batch());
      requireRoom(session, operation.batch());
      operation.batch().parts().forEach(part -> requireMemory(part.key(), part.value()));
    }
  }

  /** What a batch expects is about one node's copy. */
  private void requirePlace(Batch batch) {
    if (batch.place() != Batch.ANYWHERE && batch.place() != state.self()) {
      throw new OtherNodeException(
          "This batch is for node "
              + batch.place()
              + ", whose versions it expects, and this is node "
              + state.self()
              + ": look here, and write what follows from that");
    }
  }

  private void requireSupported(Operation.Kind kind) {
    boolean supported =
        switch (kind) {
          case READ, WRITE, SCAN -> true;
          case ACQUIRE, RELEASE -> settings.model().consistency() == Consistency.RELEASE;
          case COMPARE_AND_SET, GET_AND_SET -> settings.model().consistency().isAtomic();
          case BATCH -> settings.model().consistency() == Consistency.CAUSAL;
          case PERSIST -> settings.model().persistency().isByScope();
          case BEGIN, END, ABORT -> settings.model().consistency() == Consistency.TRANSACTIONAL;
        };
    if (!supported) {
      throw new UnsupportedOperationException(settings.model() + instead(kind));
    }
  }

  private static String instead(Operation.Kind kind) {
    return switch (kind) {
      case BATCH -> " has no batches; causal consistency has";
      case PERSIST -> " has no scopes; scope persistency has";
      case BEGIN, END, ABORT -> " has no transactions; transactional consistency has";
      case ACQUIRE, RELEASE -> " has no acquires and releases; release consistency has";
      default ->
          " has no read-modify-writes, since nodes write without asking others; "
              + Consistency.atomic()
              + " consistency have";
    };
  }

  /** Later it is too late: who follows cannot refuse, and takes it on the heap. */
  private void requireMemory(Key key, byte[] value) {
    if (value != null && !state.entries().hasRoom(key, value.length)) {
      throw new MapFullException(
          "This node has no memory outside the heap for a value of "
              + value.length
              + " bytes: remove keys, or start it with a larger -XX:MaxDirectMemorySize");
    }
  }

  /** All that is to become visible or durable together is in one message and one record. */
  private void requireRoom(ReplicaSession session, Operation write) {
    int bytes = Encoding.bytes(write.key(), write.value());
    Transaction transaction = session.transaction();
    int ofTransaction = transaction == null ? 0 : transaction.bytesBeside(write.key());
    int ofScope = scopes.bytesBeside(session, write.key());
    int max = settings.limits().batchBytesMax();
    if ((long) bytes + ofTransaction + ofScope > max) {
      throw new BatchTooLargeException(
          "A write of "
              + bytes
              + " bytes, beside "
              + ofTransaction
              + " of its transaction and "
              + ofScope
              + " of its scope, is more than batchBytesMax, "
              + max);
    }
  }

  private void requireRoom(ReplicaSession session, Batch batch) {
    long ofScope = batch.mayWrite() ? scopes.bytesBeside(session, batch) : 0;
    int max = settings.limits().batchBytesMax();
    if (batch.bytes() + ofScope > max) {
      throw new BatchTooLargeException(
          "A batch of "
              + batch.parts().size()
              + " keys and "
              + batch.bytes()
              + " bytes, beside "
              + ofScope
              + " of its scope, is more than batchBytesMax, "
              + max);
    }
  }
}
