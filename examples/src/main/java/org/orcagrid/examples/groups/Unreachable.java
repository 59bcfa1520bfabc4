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
package org.orcagrid.examples.groups;

import java.util.List;
import java.util.Set;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.Traits;

/** A store, as an application sees it that dies before it writes there: it can be read. */
record Unreachable(Store store) implements Store {
  private static StoreException dead() {
    return new StoreException("The application is dead by then", null);
  }

  @Override
  public Traits traits() {
    return store.traits();
  }

  @Override
  public Snapshot read(Set<StoredObject> objects, Set<TransactionId> markers)
      throws StoreException {
    return store.read(objects, markers);
  }

  @Override
  public Reply decide(TransactionId id, Part part, Intent intent) throws StoreException {
    throw dead();
  }

  @Override
  public Reply fence(TransactionId id) throws StoreException {
    throw dead();
  }

  @Override
  public Reply apply(TransactionId id, Part part) throws StoreException {
    throw dead();
  }

  @Override
  public void close(Set<TransactionId> ids) throws StoreException {
    throw dead();
  }

  @Override
  public boolean isDone(long millis) throws StoreException {
    throw dead();
  }

  @Override
  public List<Intent> intents(long millis) throws StoreException {
    throw dead();
  }

  @Override
  public List<TransactionId> prepared(long millis) throws StoreException {
    throw dead();
  }

  @Override
  public void refuse(long millis) throws StoreException {
    throw dead();
  }

  @Override
  public void forgetParts(long millis) throws StoreException {
    throw dead();
  }

  @Override
  public void forget(long millis) throws StoreException {
    throw dead();
  }

  @Override
  public void close() {
    // It is others', too.
  }
}
