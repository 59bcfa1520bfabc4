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

import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.Write;

/** What clients ask of transactional consistency at their own node. */
final class TransactionRequests {
  private final ReplicaState state;
  private final Operations operations;
  private final Transactions transactions;
  private final TransactionReads reads;
  private final Locks locks;

  TransactionRequests(
      ReplicaState state,
      Operations operations,
      Transactions transactions,
      TransactionReads reads,
      Locks locks) {
    this.state = state;
    this.operations = operations;
    this.transactions = transactions;
    this.reads = reads;
    this.locks = locks;
  }

  /** Begins an operation; false if it has to wait, and is to be tried again. */
  boolean begin(Operation operation) {
    ReplicaSession session = operation.session();
    if (session.takeTransactionLost()) {
      operations.abort(operation);
      return true;
    }
    return switch (operation.kind()) {
      case BEGIN -> {
        beginTransaction(operation);
        yield true;
      }
      case READ -> session.transaction() == null ? read(operation) : readWithin(operation);
      case WRITE, COMPARE_AND_SET, GET_AND_SET -> write(operation);
      case END -> {
        end(operation);
        yield true;
      }
      case ABORT -> {
        if (session.transaction() != null) {
          transactions.forget(session.transaction());
          session.transaction(null);
        }
        operations.complete(operation);
        yield true;
      }
      default -> throw new IllegalStateException("Not for a transaction: " + operation);
    };
  }

  private void beginTransaction(Operation operation) {
    Transaction begun = transactions.start(operation.session());
    begun.operation(operation);
    transactions.tellBegin(begun);
  }

  /** A read outside of any transaction: the latest visible version. */
  private boolean read(Operation operation) {
    if (locks.isDecided(operation.key()) && state.keeps(ReplicaRule.READ_WAITS_FOR_DECIDED)) {
      return false;
    }
    Entry entry = state.entry(operation.key());
    if (!reads.mayBeRead(entry)) {
      return false;
    }
    operations.complete(operation, entry.write());
    return true;
  }

  private boolean readWithin(Operation operation) {
    Transaction transaction = operation.session().transaction();
    Write own = transaction.write(operation.key());
    if (own != null) {
      operations.complete(operation, own);
      return true;
    }
    switch (transactions.verdict(transaction, operation.key(), false)) {
      case WAITS -> {
        return false;
      }
      case REFUSED -> {
        transaction.operation(operation);
        transactions.lose(transaction);
        return true;
      }
      default -> {
        Entry entry = state.entry(operation.key());
        if (!reads.mayBeRead(entry)) {
          return false;
        }
        locks.read(transaction, operation.key());
        operations.complete(operation, entry.write());
        return true;
      }
    }
  }

  private boolean write(Operation operation) {
    ReplicaSession session = operation.session();
    Transaction transaction = session.transaction();
    boolean single = transaction == null;
    if (single) {
      transaction = transactions.start(session);
      transaction.single();
    }
    switch (transactions.verdict(transaction, operation.key(), true)) {
      case WAITS -> {
        if (single) {
          transactions.drop(transaction);
        }
        return false;
      }
      case REFUSED -> {
        if (single && transactions.singlesBeginAgain()) {
          // It has nothing yet that another one could wait for: it comes behind that.
          transactions.drop(transaction);
          return false;
        }
        transaction.operation(operation);
        transactions.lose(transaction);
        return true;
      }
      default -> {
        if (operation.kind().isReadModifyWrite() && !reads(transaction, operation)) {
          return false;
        }
        if (operation.writesOn(operation.read())) {
          writeWithin(transaction, operation);
        }
        return true;
      }
    }
  }

  /**
   * Reads what is to be modified, with the key already taken; false if that has to wait. Where it
   * is not to be written the operation has ended.
   */
  private boolean reads(Transaction transaction, Operation operation) {
    Write own = transaction.write(operation.key());
    Entry entry = state.entry(operation.key());
    boolean ready = own != null || reads.mayBeRead(entry);
    operation.found(own != null ? own : entry.write());
    boolean writes = ready && operation.writesOn(operation.read());
    if (transaction.isSingle() && !writes) {
      transactions.drop(transaction);
    }
    if (ready && !writes) {
      if (!transaction.isSingle()) {
        locks.read(transaction, operation.key());
      }
      operations.complete(operation);
    }
    return ready;
  }

  private void writeWithin(Transaction transaction, Operation operation) {
    Write write = new Write(operation.key(), state.nextClock(), operation.value());
    operation.clock(write.clock());
    transactions.tellWrite(transaction, write);
    if (transaction.isSingle()) {
      transaction.operation(operation);
      transaction.end();
    } else if (state.persistency().isBeforeCompletion()) {
      transaction.operation(operation);
    } else {
      operations.complete(operation);
    }
    transactions.acknowledgeWrite(transaction, write);
  }

  private void end(Operation operation) {
    Transaction transaction = operation.session().transaction();
    transaction.operation(operation);
    if (!transaction.hasWrites()) {
      operation.session().transaction(null);
      transactions.forget(transaction);
      operations.complete(operation);
      return;
    }
    transaction.end();
    transactions.decideIfAll(transaction);
  }
}
