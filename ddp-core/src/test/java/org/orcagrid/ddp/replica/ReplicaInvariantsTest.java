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
package org.orcagrid.ddp.replica;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.model.Ddp;

/**
 * The invariants of a replica's parts hold in a new one, and each is red in a state that breaks it.
 */
class ReplicaInvariantsTest {
  private static final Key KEY = Key.of("key");
  private static final Write VALUE = new Write(KEY, 1 << 16, new byte[1]);
  private static final Write REMOVAL = new Write(KEY, 2 << 16, null);

  /** A medium on which nothing becomes durable, and nobody to send to. */
  private static final class Nothing implements Effects {
    private long position;

    @Override
    public void send(int peer, Packet packet) {}

    @Override
    public long persist(LogRecord record, boolean eager) {
      return ++position;
    }

    @Override
    public void trim(long upTo) {}

    @Override
    public void completed(Operation operation) {}

    @Override
    public void caughtUp(int view) {}
  }

  private final Effects effects = new Nothing();

  /** The only node of a grid, which serves. */
  private Replica replica(String model) {
    Replica replica =
        new Replica(
            new ReplicaSettings(
                1,
                0,
                Ddp.parse(model),
                ReplicaSettings.Conflicts.ABORT,
                new ReplicaSettings.Times(1, 1),
                100),
            ReplicaRule.all(),
            effects);
    replica.onView(new ReplicaView(1, List.of(1), 1), 0);
    assertTrue(replica.isServing());
    replica.checkInvariants();
    return replica;
  }

  private static void assertBroken(Runnable check, String what) {
    IllegalStateException broken = assertThrows(IllegalStateException.class, check::run);
    assertTrue(broken.getMessage().contains(what), broken::getMessage);
  }

  @Test
  void ofEntries() {
    Replica replica = replica("linearizable/eventual");
    replica.entry(KEY).set(REMOVAL);
    replica.state().checkInvariants();
    replica.state().onVersion(KEY, false);
    assertBroken(() -> replica.state().checkInvariants(), "what can be forgotten");
  }

  @Test
  void ofInvalidations() {
    Replica replica = replica("linearizable/eventual");
    // As if a version had been taken and nobody saw to its becoming valid.
    replica.entry(KEY).set(VALUE);
    assertBroken(replica::checkInvariants, "is seen to");
  }

  @Test
  void ofUpdates() {
    Updates updates = new Updates(replica("causal/synchronous"));
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
    Replica replica = replica("transactional/read-enforced");
    Transactions transactions = new Transactions(replica);
    Transaction begun = transactions.start(replica.openSession(null));
    begun.decide(List.of(VALUE));
    transactions.checkInvariants();
    replica.entry(KEY);
    begun.show();
    assertBroken(transactions::checkInvariants, "visible transaction");
  }

  @Test
  void ofScopes() {
    Replica replica = replica("eventual/scope");
    ReplicaSession session = replica.openSession(null);
    replica.scopes().add(session, VALUE);
    replica.checkInvariants();
    ReplicaSession stranger = replica.openSession(null);
    stranger.scope(77);
    replica.scopes().add(stranger, VALUE);
    assertBroken(replica::checkInvariants, "scopes are numbered");
  }

  @Test
  void ofTombstones() {
    Replica replica = replica("eventual/eventual");
    Protocol protocol = new Updates(replica);
    Tombstones tombstones = new Tombstones(replica, protocol, new Checkpoint(replica, protocol));
    // What was logged is not durable yet, so that the answer waits.
    replica.journal().persistLater(new LogRecord.Version(VALUE));
    tombstones.onMessage(0, new ReplicaMessage.ForgetAsk(1L << Integer.SIZE, List.of(REMOVAL)));
    tombstones.checkInvariants();
    tombstones.onMessage(0, new ReplicaMessage.ForgetAsk(1L << Integer.SIZE, List.of(VALUE)));
    assertBroken(tombstones::checkInvariants, "only removals are agreed");
  }

  @Test
  void ofLandings() throws ReflectiveOperationException {
    Landings landings = new Landings(replica("linearizable/strict"), effects);
    landings.checkInvariants();
    Field gone = Landings.class.getDeclaredField("gone");
    gone.setAccessible(true);
    ((long[]) gone.get(landings))[0] = 1;
    assertBroken(landings::checkInvariants, "what has gone from a zone is in the log");
  }
}
