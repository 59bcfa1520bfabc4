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
package org.orcagrid.bench.compare.process;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;

/** Gives some keys of a map their first value, one after the other. */
final class ModelFill {
  private final MapSession session;
  private final boolean scoped;
  private final Range range;
  private final int valueBytes;
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  /** Of whoever has the turn: the thread that begins, then the worker's. */
  private int next;

  /**
   * Keys.
   *
   * @param first the first
   * @param step from one to the next
   * @param end the last is below
   */
  record Range(int first, int step, int end) {}

  /** In a session that nobody else uses. */
  ModelFill(MapSession session, Ddp model, Range range, int valueBytes) {
    this.session = session;
    this.scoped = model.persistency().isByScope();
    this.range = range;
    this.valueBytes = valueBytes;
    this.next = range.first();
  }

  /** Begins; completes when all is written, and persisted. */
  CompletableFuture<Void> begin() {
    writeNext();
    return over;
  }

  private void writeNext() {
    if (next < range.end()) {
      long key = next;
      next += range.step();
      byte[] value = new byte[valueBytes];
      watch(session.submit(Operation.write(ModelClient.key(key), value)), false);
    } else if (scoped) {
      watch(session.submit(Operation.of(Operation.Kind.PERSIST)), true);
    } else {
      end();
    }
  }

  private void watch(CompletionStage<Operation> answer, boolean last) {
    answer.whenCompleteAsync(
        (ended, problem) -> {
          if (problem != null) {
            over.completeExceptionally(problem);
          } else if (ended.status() == Operation.Status.ABORTED) {
            over.completeExceptionally(new IllegalStateException(ended + ", alone on its key"));
          } else if (last) {
            end();
          } else {
            writeNext();
          }
        },
        Runnable::run);
  }

  private void end() {
    session.close();
    over.complete(null);
  }
}
