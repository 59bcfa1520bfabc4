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
package org.orcagrid.client.map;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.orcagrid.client.Waiting;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.replica.consistency.Operation;

/** A map of this node whose model has transactions. */
final class TransactionalReplicatedMap<K, V> extends ReplicatedMap<K, V>
    implements TransactionalGridMap<K, V> {

  TransactionalReplicatedMap(MapCaller<K, V> access, Waiting waiting) {
    super(access, waiting);
  }

  @Override
  public TransactionalGridMap<K, V> timeout(Duration other) {
    return new TransactionalReplicatedMap<>(access(), waiting().withTimeout(other));
  }

  @Override
  public TransactionalGridMap<K, V> executor(Executor other) {
    return new TransactionalReplicatedMap<>(access(), waiting().withExecutor(other));
  }

  @Override
  public GridTransaction<K, V> transaction() {
    Transaction begun = new Transaction(access().openSession());
    try {
      begun.begin();
      return begun;
    } catch (RuntimeException e) {
      // It may begin later, and nobody would end it.
      begun.close();
      throw e;
    }
  }

  @Override
  public <T> T inTransaction(Function<? super GridTransaction<K, V>, T> work) {
    long end = System.nanoTime() + timeout().toNanos();
    while (true) {
      try (GridTransaction<K, V> each = transaction()) {
        T result = work.apply(each);
        each.commit();
        return result;
      } catch (TransactionAbortedException e) {
        if (System.nanoTime() - end >= 0) {
          throw e;
        }
        // Whoever it has met needs time to end.
        Thread.onSpinWait();
      }
    }
  }

  private final class Transaction implements GridTransaction<K, V> {
    private final MapSession session;
    private boolean over;

    Transaction(MapSession session) {
      this.session = session;
    }

    void begin() {
      run(Operation.of(Operation.Kind.BEGIN));
    }

    private Operation run(Operation what) {
      if (over) {
        throw new IllegalStateException("The transaction has ended; begin another one");
      }
      CompletableFuture<Operation> answer = session.submit(what);
      Operation done = access().await(answer, timeout());
      if (done.status() == Operation.Status.ABORTED) {
        over = true;
        session.close();
        throw new TransactionAbortedException(
            "The transaction has met another one on " + access().map() + " and was aborted");
      }
      return done;
    }

    @Override
    public V get(K key) {
      return access().value(run(Operation.read(access().key(key))).read());
    }

    @Override
    public void set(K key, V value) {
      run(Operation.write(access().key(key), access().value(value)));
    }

    @Override
    public void delete(K key) {
      run(Operation.write(access().key(key), null));
    }

    @Override
    public void commit() {
      run(Operation.of(Operation.Kind.END));
      if (model().persistency().isByScope()) {
        run(Operation.of(Operation.Kind.PERSIST));
      }
      over = true;
      session.close();
    }

    @Override
    public void close() {
      if (!over) {
        over = true;
        session.close();
      }
    }
  }
}
