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
package org.orcagrid.ddp.paxos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.ReplicaStore;

/** Acceptors that forget a key. */
class AcceptorForgetTest {
  private static final int CHUNK_BITS = 12;
  private static final int VALUE_BYTES = 500;

  private final ReplicaStore store =
      new ReplicaStore(new ReplicaStore.Limits(16, 1024, 1 << CHUNK_BITS), CHUNK_BITS);
  private final Acceptor acceptor = new Acceptor(store, new CommittedCommands(4));
  private final Bytes key = new Bytes(Long.BYTES);
  private final Command command = new Command();

  private long record(long name) {
    key.buffer().putLong(0, name);
    return store.findOrCreate(
        key.buffer(), 0, Long.BYTES, KeyHash.hash(key.buffer(), 0, Long.BYTES));
  }

  private void use(long record) {
    assertTrue(acceptor.turnTo(record));
    acceptor.onCommit(1, 2, 3);
    assertEquals(Verdict.ACK, acceptor.onPropose(2, 7, 1, 9));
    command.session = 1;
    command.id = 9;
    command.baseClock = 77;
    command.baseRmw = 78;
    command.value = new Bytes(VALUE_BYTES).buffer();
    command.valueAt = 0;
    command.valueLength = VALUE_BYTES;
    assertEquals(Verdict.ACK, acceptor.onAccept(2, 7, command));
  }

  private void assertNew(long record) {
    assertTrue(acceptor.turnTo(record));
    assertEquals(0, acceptor.lastLog());
    assertEquals(0, acceptor.lastSession());
    assertEquals(0, acceptor.lastId());
    assertEquals(0, acceptor.promised());
    assertFalse(acceptor.isPromiseInUse());
    assertEquals(0, acceptor.acceptedBallot());
    acceptor.copyAccepted(command);
    assertEquals(0, command.session);
    assertEquals(0, command.id);
    assertEquals(0, command.baseClock);
    assertEquals(0, command.baseRmw);
    assertEquals(0, command.valueLength);
  }

  /** The store has room for a few structures and values only, so that all are used again. */
  @Test
  void aForgottenKeyBeginsAnewAndItsMemoryIsUsedAgain() {
    for (int i = 0; i < 100; i++) {
      long record = record(i % 3);
      store.lock(record);
      assertNew(record);
      use(record);
      acceptor.forget(record);
      assertEquals(ReplicaStore.NONE, store.paxos(record));
      store.unlock(record);
    }
  }

  @Test
  void nothingIsLeftOfAForgottenKey() {
    long record = record(1);
    store.lock(record);
    acceptor.forget(record);
    assertEquals(ReplicaStore.NONE, store.paxos(record), "there was nothing");
    use(record);
    assertThrows(IllegalStateException.class, () -> store.remove(record));
    acceptor.forget(record);
    acceptor.forget(record);
    store.remove(record);
    store.unlock(record);
    long again = record(2);
    assertEquals(record, again);
    assertEquals(ReplicaStore.NONE, store.paxos(again));
    assertNotEquals(ReplicaStore.NONE, record(1));
  }
}
