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

import java.util.List;
import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.ReplicaMessage.TxStep;

/** What a node has in its log of transactions, and what waits for that. */
final class TransactionLog {
  private final ReplicaState state;
  private final Journal journal;

  /** Who is told how far a transaction is here. */
  interface Acknowledgement {
    void of(TxStep step);
  }

  TransactionLog(ReplicaState state, Journal journal) {
    this.state = state;
    this.journal = journal;
  }

  /** A transaction begins. */
  void begin(long id, Runnable then) {
    if (state.persistency().isBeforeVisible()) {
      journal.persist(new LogRecord.Begun(id), then);
    } else {
      then.run();
    }
  }

  /** A transaction that has not ended writes. */
  void write(long id, Write write, Runnable then) {
    if (state.persistency().isBeforeCompletion()) {
      journal.persist(new LogRecord.Tentative(id, write), then);
    } else {
      then.run();
    }
  }

  /** A transaction is decided: tells when this node has its writes, and has them durable. */
  void end(List<Write> writes, Acknowledgement acknowledged) {
    if (state.persistency().isBeforeVisible()) {
      persist(writes, () -> acknowledged.of(TxStep.END));
      return;
    }
    acknowledged.of(TxStep.END);
    if (state.persistency().isBeforeRead()) {
      persist(writes, () -> acknowledged.of(TxStep.DURABLE));
    } else if (!state.persistency().isByScope()) {
      journal.persistLater(new LogRecord.Batch(writes));
    }
  }

  private void persist(List<Write> writes, Runnable durable) {
    boolean waits = state.keeps(ReplicaRule.ACK_WHEN_DURABLE);
    Runnable then = waits ? durable : () -> {};
    if (state.keeps(ReplicaRule.ONE_RECORD)) {
      journal.persist(new LogRecord.Batch(writes), then);
    } else {
      for (Write write : writes.subList(0, writes.size() - 1)) {
        journal.persistLater(new LogRecord.Version(write));
      }
      journal.persist(new LogRecord.Version(writes.get(writes.size() - 1)), then);
    }
    if (!waits) {
      durable.run();
    }
  }
}
