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
package org.orcagrid.ddp.forward;

import java.util.concurrent.CompletableFuture;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.map.SessionEndedException;
import org.orcagrid.ddp.replica.consistency.Operation;

/** A session at a home of its map. Its end by itself makes the next one look for a home. */
final class RoutedSession implements MapSession {
  private final MapSession session;
  private final Maps home;
  private final Route route;

  RoutedSession(MapSession session, Maps home, Route route) {
    this.session = session;
    this.home = home;
    this.route = route;
  }

  // Its failure is the caller's to see.
  @SuppressWarnings("FutureReturnValueIgnored")
  @Override
  public CompletableFuture<Operation> submit(Operation operation) {
    if (route.isOver()) {
      return CompletableFuture.failedFuture(new NotBegunException(route.gone()));
    }
    CompletableFuture<Operation> answer = session.submit(operation);
    answer.whenComplete(
        (done, reason) -> {
          if (reason instanceof SessionEndedException) {
            isEnded();
          }
        });
    // Not what comes of it: this one can be taken back.
    return answer;
  }

  @Override
  public MapSession openBeside() {
    return new RoutedSession(session.openBeside(), home, route);
  }

  @Override
  public boolean isEnded() {
    boolean isEnded = session.isEnded() || route.isOver();
    if (isEnded) {
      route.lost(home);
    }
    return isEnded;
  }

  @Override
  public void close() {
    session.close();
  }
}
