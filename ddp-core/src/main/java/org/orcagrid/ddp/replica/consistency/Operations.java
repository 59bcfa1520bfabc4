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

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.replica.state.Write;

/**
 * The operations of a node's clients that have not ended: each is begun, waits and is begun again,
 * until it ends.
 *
 * <p>Invariant: what waits is open, and whoever has been told of an operation's end is not told
 * again.
 */
public final class Operations {
  private final OperationListener listener;

  /** Those that wait for something, in the order in which they have come. */
  private final Set<Operation> stalled = new LinkedHashSet<>();

  /** Those that were given up and are to be tried again. */
  private final List<Operation> again = new ArrayList<>();

  private boolean mayGoOn;

  /** No operations yet. */
  public Operations(OperationListener listener) {
    this.listener = listener;
  }

  // --- for whoever dispatches --------------------------------------------------------------------

  /** An operation of a session has come. */
  public void come(ReplicaSession session, Operation operation) {
    operation.session(session);
  }

  /** It has to wait. */
  public void add(Operation operation) {
    stalled.add(operation);
  }

  /** Whether something has happened that one of them may have waited for. */
  public boolean mayGoOn() {
    return mayGoOn;
  }

  /** All of them in their order, to be begun; whoever begins one removes it. */
  public Iterator<Operation> turn() {
    mayGoOn = false;
    stalled.addAll(again);
    again.clear();
    return stalled.iterator();
  }

  /** Aborts what waits of a session that has ended. */
  public void onClosed(ReplicaSession session) {
    stalled.addAll(again);
    again.clear();
    List<Operation> waiting =
        stalled.stream().filter(operation -> operation.session() == session).toList();
    waiting.forEach(stalled::remove);
    waiting.forEach(this::abort);
  }

  /** Whether none waits here. */
  public boolean isEmpty() {
    return stalled.isEmpty() && again.isEmpty();
  }

  // --- for consistencies -------------------------------------------------------------------------

  /** Something has changed that an operation may have waited for. */
  public void goOn() {
    mayGoOn = true;
  }

  /** An operation has come to nothing and begins again. */
  void tryAgain(Operation operation) {
    operation.beginAgain();
    again.add(operation);
    mayGoOn = true;
  }

  /** An operation is done. */
  public void complete(Operation operation) {
    operation.done();
    listener.completed(operation);
  }

  /** An operation is done, and has read this version. */
  public void complete(Operation operation, Write found) {
    operation.done(found);
    listener.completed(operation);
  }

  /** An operation is aborted. */
  void abort(Operation operation) {
    operation.aborted();
    listener.completed(operation);
  }

  /** What waits is open. */
  public void checkInvariants() {
    for (Operation each : stalled) {
      Invariant.check(each.status() == Operation.Status.OPEN, "what waits has not ended");
    }
    for (Operation each : again) {
      Invariant.check(each.status() == Operation.Status.OPEN, "what is tried again has not ended");
    }
  }

  @Override
  public String toString() {
    return "stalled " + stalled;
  }
}
