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

import static org.orcagrid.ddp.replica.Alone.KEY;
import static org.orcagrid.ddp.replica.Alone.VALUE;
import static org.orcagrid.ddp.replica.Alone.assertBroken;

import java.lang.reflect.Field;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.Alone;
import org.orcagrid.ddp.replica.state.Watch;

/** The invariants of consistencies hold at first, and each is red in a state that breaks it. */
class ConsistencyInvariantsTest {
  private static Parts parts(String model) {
    Parts parts = Alone.parts(model);
    Protocol protocol = Protocol.of(parts);
    parts.state().entries().watch(new Watch(parts.state(), protocol, new Alone.Nothing()));
    protocol.checkInvariants();
    return parts;
  }

  @Test
  void ofInvalidations() {
    Parts parts = parts("linearizable/eventual");
    // As if a version had been taken and nobody saw to its becoming valid.
    parts.state().entry(KEY).set(VALUE);
    assertBroken(new Invalidations(parts)::checkInvariants, "is seen to");
  }

  @Test
  void ofUpdates() {
    Updates updates = new Updates(parts("causal/synchronous"));
    updates.checkInvariants();
    updates.visible()[0] = 7;
    assertBroken(updates::checkInvariants, "what is visible has had its turn");
  }

  @Test
  void ofLocks() {
    Locks locks = new Locks();
    Transaction one = new Transaction(1, null);
    locks.write(one, KEY);
    locks.read(one, KEY);
    locks.checkInvariants();
    Transaction other = new Transaction(2, null);
    locks.read(other, KEY);
    assertBroken(locks::checkInvariants, "nobody else reads");
    locks.write(other, KEY);
    assertBroken(locks::checkInvariants, "one active transaction");
  }

  @Test
  void ofTransactions() {
    Parts parts = parts("transactional/read-enforced");
    Transactions transactions = new Transactions(parts);
    Transaction begun = transactions.start(new ReplicaSession(0, new long[1]));
    begun.decide(List.of(VALUE));
    transactions.checkInvariants();
    parts.state().entry(KEY).persisted(1);
    begun.show();
    assertBroken(transactions::checkInvariants, "visible transaction");
  }

  @Test
  void ofScopes() {
    Scopes scopes = parts("eventual/scope").scopes();
    scopes.add(new ReplicaSession(0, new long[1]), VALUE);
    scopes.checkInvariants();
    ReplicaSession stranger = new ReplicaSession(1, new long[1]);
    stranger.scope(77);
    scopes.add(stranger, VALUE);
    assertBroken(scopes::checkInvariants, "scopes are numbered");
  }

  @Test
  void ofOperations() {
    Operations operations = parts("eventual/eventual").operations();
    Operation read = Operation.read(KEY);
    operations.add(read);
    operations.checkInvariants();
    operations.complete(read);
    assertBroken(operations::checkInvariants, "what waits has not ended");
  }

  @Test
  void ofZones() throws ReflectiveOperationException {
    ZonePersists zones = parts("linearizable/strict").zones();
    zones.checkInvariants();
    Field gone = ZonePersists.class.getDeclaredField("gone");
    gone.setAccessible(true);
    ((long[]) gone.get(zones))[0] = 1;
    assertBroken(zones::checkInvariants, "what has gone from a zone is in the log");
  }
}
