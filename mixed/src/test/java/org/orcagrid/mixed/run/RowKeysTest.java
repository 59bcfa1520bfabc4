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
package org.orcagrid.mixed.run;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.mixed.Mixed.value;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.store.memory.MemoryStore;
import org.orcagrid.mixed.store.postgres.Mapped;

class RowKeysTest {
  private static final StoreName<Linearizable> OTHER = new StoreName<>("other", Linearizable.class);

  /** It would be an object of that store, and no row. */
  @Test
  void aRowOfAStoreWithoutTablesIsRefused() {
    Mapped<Long> accounts = Mapped.table("accounts").key("id").value("balance", Long.class);
    Handle<Linearizable, Long> row = accounts.row(OTHER, 7);
    Out<Linearizable, Long> out = new Out<>(Linearizable.class);
    try (MixedClient client = new MixedClient(List.of(new MemoryStore("other")))) {
      IllegalTransactionException e =
          assertThrows(
              IllegalTransactionException.class, () -> client.transaction(row.set(value(1L))));
      assertTrue(e.getMessage().contains("was given its Mapped"), e.getMessage());
      assertThrows(IllegalTransactionException.class, () -> client.transaction(out.set(row.get())));
    }
  }
}
