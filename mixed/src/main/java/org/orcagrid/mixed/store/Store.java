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
package org.orcagrid.mixed.store;

import java.util.List;
import java.util.Set;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.track.VectorClock;

/**
 * A store, as clients and workers ask it. Any thread may call it; calls block. Whatever is asked
 * may be asked again, and a call that has failed may still come to pass: answers are those of
 * {@link org.orcagrid.mixed.commit.Ask}.
 *
 * <p>A store implements what its {@link Role} does; nobody asks it for the rest.
 */
public interface Store extends AutoCloseable {
  /** What there is to know of it. */
  Traits traits();

  /**
   * Reads objects, and looks for transactions that have a part here.
   *
   * @throws StoreException if nothing can be read
   */
  Snapshot read(Set<StoredObject> objects, Set<TransactionId> markers) throws StoreException;

  /**
   * The same for a client that has seen something of it. A store whose clocks are those of a
   * replica does not need that: the snapshot's clock says whether the replica has as much. One that
   * {@link Traits#isWhole takes parts piece by piece} reads what is as new, and says so with the
   * snapshot's clock.
   */
  default Snapshot read(Set<StoredObject> objects, Set<TransactionId> markers, VectorClock seen)
      throws StoreException {
    return read(objects, markers);
  }

  /**
   * Whether what was read is still there, all at one moment: {@link Answer#DONE} or {@link
   * Answer#CONFLICT}.
   */
  default Reply check(Part part) throws StoreException {
    throw new UnsupportedOperationException(traits() + " does not check");
  }

  /**
   * Makes sure that a part can be taken as it is, as far as the part alone tells: nobody is asked.
   * Clients do so before a transaction is decided. After that, a store leaves out what it cannot
   * have.
   *
   * @throws org.orcagrid.mixed.plan.IllegalTransactionException if it cannot
   */
  default void requireFits(Part part) {}

  /** Promises to commit a part, if what was read is still there. */
  default Reply prepare(TransactionId id, Part part) throws StoreException {
    throw new UnsupportedOperationException(traits() + " does not prepare");
  }

  /** Commits a part if what was read is still there, and keeps the intent unless it is empty. */
  Reply decide(TransactionId id, Part part, Intent intent) throws StoreException;

  /** Tells whether it has decided; if not, it never will. */
  Reply fence(TransactionId id) throws StoreException;

  /** Commits what it has prepared. */
  default Reply commitPrepared(TransactionId id) throws StoreException {
    throw new UnsupportedOperationException(traits() + " does not prepare");
  }

  /** Gives up what it has prepared, and does not prepare it later. */
  default Reply abortPrepared(TransactionId id) throws StoreException {
    throw new UnsupportedOperationException(traits() + " does not prepare");
  }

  /** Takes a part of a transaction that is decided elsewhere, once. */
  default Reply apply(TransactionId id, Part part) throws StoreException {
    throw new UnsupportedOperationException(traits() + " does not follow");
  }

  /** Forgets intents, but not that they were decided. */
  void close(Set<TransactionId> ids) throws StoreException;

  // --- for workers -------------------------------------------------------------------------------

  /** Whether no intent is open, and nothing prepared, that began up to a time. */
  boolean isDone(long millis) throws StoreException;

  /** Intents of transactions that began before a time; those that cannot be read are logged. */
  List<Intent> intents(long millis) throws StoreException;

  /** What is prepared of transactions that began before a time; nothing, unless it prepares. */
  default List<TransactionId> prepared(long millis) throws StoreException {
    return List.of();
  }

  /** Decides and prepares nothing any more that began up to a time. */
  void refuse(long millis) throws StoreException;

  /** Takes parts of transactions that began up to a time for done, and forgets their ids. */
  void forgetParts(long millis) throws StoreException;

  /** Forgets what was decided of transactions that began up to a time. */
  void forget(long millis) throws StoreException;

  /** Lets go of connections; what is stored stays. */
  @Override
  void close();
}
