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

import java.util.HashMap;
import java.util.Map;
import org.orcagrid.ddp.replica.state.Key;

/** A client's session at a node: one operation after the other. */
public final class ReplicaSession {
  private final int number;

  /** What must be visible here before anything is done for this session. */
  private final long[] arrival;

  /** Whose it is; null if nobody has said. */
  private Object owner;

  private long scope;
  private long lastSequence;
  private Transaction transaction;
  private boolean transactionLost;

  /** Own writes that are not visible yet, by key; only where they may not be at once. */
  private final Map<Key, Unseen> invisible;

  /** How many keys of them were written last in this session. */
  private int ownInvisible;

  /** The last write of a key, and the session of it: a batch may write a key of another one. */
  private record Unseen(long clock, ReplicaSession by) {}

  /**
   * A session.
   *
   * @param number its number at its node
   * @param arrival what must be visible before anything is done for it; is kept
   */
  public ReplicaSession(int number, long[] arrival) {
    this(number, arrival, new HashMap<>());
  }

  private ReplicaSession(int number, long[] arrival, Map<Key, Unseen> invisible) {
    this.number = number;
    this.arrival = arrival;
    this.invisible = invisible;
  }

  /** Another one of the same client, which knows what that one has written. */
  public ReplicaSession beside(int another) {
    return new ReplicaSession(another, arrival, invisible);
  }

  /** Says whose it is. */
  public void owner(Object whose) {
    this.owner = whose;
  }

  /** Whose it is, as it was said; null if it was not. */
  public Object owner() {
    return owner;
  }

  /** Its number at its node. */
  public int number() {
    return number;
  }

  /** What must be visible here before anything is done for this session. */
  public long[] arrival() {
    return arrival;
  }

  /** The number of its scope; 0 while nothing was written in it. */
  long scope() {
    return scope;
  }

  void scope(long number) {
    this.scope = number;
  }

  /** Transactions begin and end in turn; one that was lost has yet to be told of. */
  void requireInOrder(Operation.Kind kind) {
    boolean open = transaction != null || transactionLost;
    if (kind == Operation.Kind.BEGIN && open) {
      throw new IllegalStateException("The last transaction of " + this + " is open");
    }
    if (kind == Operation.Kind.END && !open) {
      throw new IllegalStateException("No transaction of " + this + " is open");
    }
  }

  /** The number of its last update, where writes are updates. */
  public long lastSequence() {
    return lastSequence;
  }

  void lastSequence(long sequence) {
    this.lastSequence = sequence;
  }

  Transaction transaction() {
    return transaction;
  }

  void transaction(Transaction begun) {
    this.transaction = begun;
    this.transactionLost = false;
  }

  /** Its transaction was aborted by a conflict: the next operation is told. */
  void loseTransaction() {
    transaction = null;
    transactionLost = true;
  }

  boolean takeTransactionLost() {
    boolean lost = transactionLost;
    transactionLost = false;
    return lost;
  }

  void written(Key key, long clock) {
    Unseen before = invisible.put(key, new Unseen(clock, this));
    if (before != null) {
      before.by().ownInvisible--;
    }
    ownInvisible++;
  }

  void visible(Key key, long clock) {
    Unseen last = invisible.get(key);
    if (last != null && last.clock() == clock) {
      invisible.remove(key);
      last.by().ownInvisible--;
    }
  }

  /** Whether something that was written in this very session is not visible here yet. */
  public boolean hasOwnInvisible() {
    return ownInvisible > 0;
  }

  boolean hasInvisible() {
    return !invisible.isEmpty();
  }

  boolean hasInvisible(Key key) {
    return invisible.containsKey(key);
  }

  @Override
  public String toString() {
    return "session " + number;
  }
}
