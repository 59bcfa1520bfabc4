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
package org.orcagrid.mixed.store.geo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.mixed.Change;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Session;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.VectorClock;

/** What records are forgotten, and when. */
class GeoForgettingTest {
  private static final Change<List<Object>, Object> ADD =
      Change.of(
          "add",
          (present, item) -> {
            List<Object> all = new ArrayList<>(present == null ? List.of() : present);
            all.add(item);
            return all;
          });

  private static final StoredObject OBJECT = new StoredObject("likes", Session.class, "ann");

  private final LateGeo geo = new LateGeo();
  private final Store west = store("west");
  private final Store east = store("east");

  private Store store(String datacenter) {
    return geo.store(datacenter, new Operations(List.of(ADD)), GeoStore.Trial.NONE);
  }

  private static Part part(Store at, Part.Write... writes) {
    return new Part(at.traits().group(), List.of(writes), Map.of(), null);
  }

  private static Part.Write add(Object item) {
    return new Part.Write(OBJECT, ADD.operation(), item, Context.NONE);
  }

  private void forget(long millis) throws StoreException {
    for (Store each : List.of(west, east)) {
      each.refuse(millis);
    }
    for (Store each : List.of(west, east)) {
      each.forgetParts(millis);
    }
    for (Store each : List.of(west, east)) {
      each.forget(millis);
    }
  }

  @Test
  void whoHasMetWhatIsForgottenWaitsForItsRow() throws StoreException {
    TransactionId id = new TransactionId("orca", 5_000, 1);
    geo.withholdRows();
    Part part = part(west, add("a"));
    VectorClock token = west.apply(id, part).clock();
    forget(20_000);
    assertTrue(token.isIn(west.apply(id, part).clock()));
    assertThrows(
        GeoKeys.BehindException.class,
        () -> east.read(Set.of(OBJECT), Set.of(id), VectorClock.NONE));
    geo.deliver();
    Snapshot snapshot = east.read(Set.of(OBJECT), Set.of(id), VectorClock.NONE);
    assertEquals(Set.of(id), snapshot.markers().keySet());
    assertEquals(List.of("a"), snapshot.found().get(OBJECT).value());
    assertEquals(Answer.FORGOTTEN, west.fence(id).answer());
  }
}
