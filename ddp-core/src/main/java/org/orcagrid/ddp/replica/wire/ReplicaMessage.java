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
package org.orcagrid.ddp.replica.wire;

import java.util.Arrays;
import java.util.List;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.transport.MalformedPacketException;

/** What replicas say to each other (DDP, Table 3), and what brings a node up to date. */
public sealed interface ReplicaMessage {
  /** What an {@link Ack} or {@link Val} is about: the volatile copies. */
  int CONSISTENCY = 1;

  /** What an {@link Ack} or {@link Val} is about: the durable copies. */
  int PERSISTENCY = 2;

  /** The latest clock in it; 0 if it has none. */
  default long clock() {
    return 0;
  }

  /** The key that it is about first of all; null if there is none. */
  default Key key() {
    return null;
  }

  /** Whether it may wait for the next packet: usually no operation waits for it. */
  default boolean mayWait() {
    return false;
  }

  /**
   * A new version of a key, which is invalid until all have it. Also the answer of a node that has
   * a later version to one that counts only if no other one comes before it.
   */
  record Inv(Write write) implements ReplicaMessage {
    @Override
    public long clock() {
      return write.clock();
    }

    @Override
    public Key key() {
      return write.key();
    }
  }

  /** The sender has a version, or a later one. */
  record Ack(Key key, long clock, int what) implements ReplicaMessage {}

  /** All nodes have a version, or a later one. */
  record Val(Key key, long clock, int what) implements ReplicaMessage {
    @Override
    public boolean mayWait() {
      return true;
    }
  }

  /** Writes that nobody has to acknowledge. */
  record Upd(Update update) implements ReplicaMessage {
    @Override
    public long clock() {
      return Write.latest(update.writes());
    }

    @Override
    public Key key() {
      return update.writes().isEmpty() ? null : update.writes().get(0).key();
    }
  }

  /** The sender has persisted an update of the receiver. */
  record UpdPersisted(long sequence) implements ReplicaMessage {}

  /**
   * A message whose record the sender is putting into the receiver's zone.
   *
   * @param position there
   * @param message an {@link Inv} or {@link Upd}
   */
  record Landed(long position, ReplicaMessage message) implements ReplicaMessage {
    @Override
    public long clock() {
      return message.clock();
    }
  }

  /** The sender keeps what the receiver puts into its zone at a position until its log has it. */
  record Kept(long position) implements ReplicaMessage {}

  /** The sender's log has what the receiver has put into its zone up to a position. */
  record Taken(long position) implements ReplicaMessage {}

  /** Up to where the sender shows the updates of each node. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared and never changed.
  record Progress(long[] visible) implements ReplicaMessage {
    @Override
    public String toString() {
      return "Progress" + Arrays.toString(visible);
    }
  }

  /** A transaction begins (INITX). */
  record TxBegin(long tx) implements ReplicaMessage {
    /** A transaction is named by a clock, which is learned. */
    @Override
    public long clock() {
      return tx;
    }
  }

  /** A write of a transaction that has not ended. */
  record TxWrite(long tx, Write write) implements ReplicaMessage {
    @Override
    public long clock() {
      return write.clock();
    }
  }

  /** A transaction is decided: these are its writes (ENDX). */
  record TxEnd(long tx, List<Write> writes) implements ReplicaMessage {
    @Override
    public long clock() {
      return Write.latest(writes);
    }
  }

  /** The sender has what was said of a transaction: see {@link TxStep}. */
  record TxAck(long tx, TxStep step, long clock) implements ReplicaMessage {}

  /** The sender has a transaction that conflicts with this one. */
  record TxConflict(long tx) implements ReplicaMessage {}

  /** A transaction has ended everywhere, or its writes are durable everywhere. */
  record TxVal(long tx, int what) implements ReplicaMessage {}

  /** A transaction is aborted, or has read only. */
  record TxAbort(long tx) implements ReplicaMessage {}

  /** A scope has ended: these are its writes (PERSIST). */
  record ScopePersist(long scope, List<Write> writes) implements ReplicaMessage {
    @Override
    public long clock() {
      return Write.latest(writes);
    }
  }

  /** The sender has persisted a scope. */
  record ScopeAck(long scope) implements ReplicaMessage {}

  /** The sender has installed the view, and has said before what it had to say because of it. */
  record Hello(int view) implements ReplicaMessage {}

  /**
   * The sender wants to be told what the receiver has, and has room for so many pages of it.
   *
   * @param transfer the view in which it has begun to ask, which no other transfer between them has
   * @param pages counted from the first page of the transfer on
   */
  record StateAsk(int transfer, int pages) implements ReplicaMessage {}

  /**
   * A page of what the sender has.
   *
   * @param entriesThere how many entries it has
   * @param scoped versions whose scopes were persisted, where there are scopes
   */
  record State(int transfer, int entriesThere, List<Known> versions, List<Write> scoped)
      implements ReplicaMessage {
    /** How many entries it is about: each has a version, a persisted one, or both. */
    public int entries() {
      return Math.max(versions.size(), scoped.size());
    }

    @Override
    public long clock() {
      long latest = Write.latest(scoped);
      for (Known known : versions) {
        latest = Math.max(latest, known.write().clock());
      }
      return latest;
    }
  }

  /**
   * A version, and what the sender knows of it.
   *
   * @param what {@link #CONSISTENCY} if all have it, {@link #PERSISTENCY} if all have it durable
   */
  record Known(Write write, int what) {}

  /**
   * That was all. The pages have all that was visible at the sender when it began, and of what
   * became visible while it told them some, and some not.
   *
   * @param clock the latest that the sender has seen
   * @param forgotten that of the latest removal that it has forgotten, 0 for none
   * @param since up to where the updates of each node were visible when it began
   * @param visible and when it ended
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared and never changed.
  record StateEnd(int transfer, long clock, long forgotten, long[] since, long[] visible)
      implements ReplicaMessage {
    @Override
    public String toString() {
      return "StateEnd of transfer "
          + transfer
          + Arrays.toString(since)
          + " to "
          + Arrays.toString(visible);
    }
  }

  /** While all recover: the sender has what all others had, and it is as durable as it must be. */
  record Recovered(int view) implements ReplicaMessage {}

  /**
   * The sender wants to forget removed keys.
   *
   * @param round which no other one has
   * @param removals the versions that remove them
   */
  record ForgetAsk(long round, List<Write> removals) implements ReplicaMessage {
    @Override
    public long clock() {
      return Write.latest(removals);
    }
  }

  /** What of it the sender can forget: it has them durable, and nothing older under way. */
  record ForgetReady(long round, List<Write> removals) implements ReplicaMessage {
    @Override
    public long clock() {
      return Write.latest(removals);
    }
  }

  /** All can forget these. */
  record Forget(long round, List<Write> removals) implements ReplicaMessage {
    @Override
    public long clock() {
      return Write.latest(removals);
    }
  }

  /** What of a transaction is acknowledged. */
  enum TxStep {
    /** Its begin. */
    BEGIN(1),
    /** One of its writes. */
    WRITE(2),
    /** Its end, in the volatile copies; durable as well where that comes first. */
    END(3),
    /** Its writes are durable. */
    DURABLE(4);

    private final int code;

    TxStep(int code) {
      this.code = code;
    }

    /** The number that stands for it; it never changes its meaning. */
    int code() {
      return code;
    }

    static TxStep of(int code) {
      for (TxStep step : values()) {
        if (step.code == code) {
          return step;
        }
      }
      throw new MalformedPacketException("No step of a transaction has the number " + code);
    }
  }
}
