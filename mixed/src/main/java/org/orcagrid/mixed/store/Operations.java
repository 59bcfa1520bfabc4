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
package org.orcagrid.mixed.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.mixed.Change;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.Operation;

/**
 * Changes by name. Who finishes what another process has begun finds in an intent what a change is
 * called, and here what it does.
 */
public final class Operations {
  private final Map<String, Operation> byName = new HashMap<>();

  /**
   * These.
   *
   * @throws IllegalArgumentException if two have one name
   */
  public Operations(List<Change<?, ?>> changes) {
    for (Change<?, ?> each : changes) {
      Operation operation = each.operation();
      if (byName.put(operation.name(), operation) != null) {
        throw new IllegalArgumentException(
            "Two changes are called " + operation.name() + "; give one another name");
      }
    }
  }

  /** None. */
  public static Operations none() {
    return new Operations(List.of());
  }

  /** The one with a name. */
  public Operation named(String name) {
    Operation operation = byName.get(name);
    if (operation == null) {
      throw new IllegalTransactionException(
          "There is no change "
              + name
              + " here; give it to the store, as whoever finishes a transaction has to know it."
              + " There are "
              + byName.keySet().stream().sorted().toList());
    }
    return operation;
  }
}
