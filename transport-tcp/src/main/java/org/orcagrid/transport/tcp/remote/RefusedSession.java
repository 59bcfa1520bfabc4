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
package org.orcagrid.transport.tcp.remote;

import java.util.concurrent.CompletableFuture;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.replica.consistency.Operation;

/** A session that could not be opened: nothing of it is done, also if the map comes meanwhile. */
final class RefusedSession implements MapSession {
  private final String reason;

  RefusedSession(String reason) {
    this.reason = reason;
  }

  @Override
  public CompletableFuture<Operation> submit(Operation operation) {
    return CompletableFuture.failedFuture(new NotBegunException(reason));
  }

  @Override
  public MapSession openBeside() {
    return this;
  }

  @Override
  public boolean isEnded() {
    return true;
  }

  @Override
  public void close() {
    // There is nothing.
  }
}
