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
package org.orcagrid.bench.zab;

import org.orcagrid.ddp.kite.LocalCopy;
import org.orcagrid.ddp.kite.Operation;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.kite.ProtocolNode;
import org.orcagrid.ddp.kite.ProtocolWorker;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.Outbox;

/**
 * ZAB under the duty cycle of a grid's node, for {@link org.orcagrid.ddp.node.ProtocolHost#start}.
 * Sessions read and write; all writes are releases and all reads are sequentially consistent,
 * whatever their requests ask for. A read-modify-write is a fault of the program, and ends the
 * node.
 */
public final class ZabProtocol implements ProtocolNode {
  // A leader that is gone is not got rid of anyway, so new work may as well wait for it.
  private static final long HELD_BACK_NANOS_MAX = 100_000_000;

  private final ZabSettings settings;
  private final ReplicaStore store;

  /** A node with an empty store; those of all nodes must have the same limits. */
  public ZabProtocol(ZabSettings settings, ReplicaStore.Limits limits) {
    this.settings = settings;
    this.store = new ReplicaStore(limits);
  }

  @Override
  public Sizes sizes() {
    return new Sizes(
        settings.nodes(),
        settings.self(),
        1,
        settings.sessions(),
        HELD_BACK_NANOS_MAX,
        settings.resendNanos() / 8);
  }

  @Override
  public ReplicaStore store() {
    return store;
  }

  @Override
  public ProtocolWorker worker(int number, Outbox outbox, ProtocolWorker.Completions completions) {
    Operation[] asked = new Operation[settings.sessions()];
    ZabWorker zab =
        new ZabWorker(
            settings,
            store,
            outbox,
            ended -> {
              asked[ended.slot()].outcome(ended.isDone() ? Outcome.DONE : Outcome.STORE_FULL);
              completions.onCompleted(ended.slot());
            });
    return new Worker(zab, asked);
  }

  @Override
  public LocalCopy localCopy() {
    return new Copy(store);
  }

  @Override
  public boolean isServing() {
    return true;
  }

  /** Under each session's number, what it is at. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Worker(ZabWorker zab, Operation[] asked) implements ProtocolWorker {
    @Override
    public boolean isIdle(int slot) {
      return zab.session(slot).isIdle();
    }

    @Override
    public boolean begin(int slot, Operation next, long nowNanos) {
      ZabSession session = zab.session(slot);
      asked[slot] = next;
      session.use(next.key(), next.value(), next.result());
      return switch (next.kind()) {
        case READ, ACQUIRE -> {
          zab.beginRead(session);
          yield true;
        }
        case WRITE, RELEASE -> zab.beginWrite(session, nowNanos);
        default -> throw new UnsupportedOperationException("ZAB reads and writes, no more");
      };
    }

    @Override
    public boolean announce(int slot, Bytes key, long nowNanos) {
      throw new IllegalStateException("No session writes to its node's copy by itself");
    }

    @Override
    public boolean mayBeOurs(Message message) {
      return ZabMessage.of(message) != null;
    }

    @Override
    public void onMessage(int from, Message message, long nowNanos) {
      zab.onMessage(from, message, nowNanos);
    }

    @Override
    public void poll(long nowNanos) {
      zab.poll(nowNanos);
    }

    @Override
    public boolean isOver() {
      return false;
    }

    @Override
    public boolean isBusy() {
      return zab.isBusy();
    }
  }

  private record Copy(ReplicaStore store) implements LocalCopy {
    @Override
    public boolean read(Bytes key, Bytes into) {
      int length = key.length();
      long hash = KeyHash.hash(key.buffer(), 0, length);
      store.readValue(key.buffer(), 0, length, hash, into);
      return true;
    }

    @Override
    public Outcome write(Bytes key, Bytes value) {
      return null;
    }
  }
}
