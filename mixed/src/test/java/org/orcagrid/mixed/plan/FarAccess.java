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
package org.orcagrid.mixed.plan;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Stores that are far: nothing is there until it was asked for. */
final class FarAccess implements Access {
  private final Map<StoredObject, Object> stored;
  private final Set<StoredObject> here = new HashSet<>();
  private Map<StoredObject, Object> written = new HashMap<>();
  private Set<StoredObject> unknown = new HashSet<>();
  private Set<StoredObject> missing = new HashSet<>();
  private int rounds;

  FarAccess(MapAccess stores) {
    this.stored = stores.objects();
  }

  /** Evaluates until nothing is missing; what is there then. */
  Map<StoredObject, Object> evaluated(Plan plan) {
    boolean isMissing = true;
    while (isMissing) {
      written = new HashMap<>();
      unknown = new HashSet<>();
      missing = new HashSet<>();
      rounds++;
      try {
        plan.evaluate(this);
        isMissing = false;
      } catch (MissingException e) {
        assertFalse(missing.isEmpty(), "nothing would be asked for");
        here.addAll(missing);
      }
    }
    Map<StoredObject, Object> all = new HashMap<>(stored);
    all.putAll(written);
    return all;
  }

  /** How often it was evaluated. */
  int rounds() {
    return rounds;
  }

  @Override
  public Object read(StoredObject object) {
    if (unknown.contains(object)) {
      throw new MissingException();
    }
    if (written.containsKey(object)) {
      return written.get(object);
    }
    if (!here.contains(object)) {
      missing.add(object);
      throw new MissingException();
    }
    return stored.get(object);
  }

  @Override
  public void write(StoredObject object, Object value) {
    unknown.remove(object);
    written.put(object, value);
  }

  @Override
  public void change(StoredObject object, Operation operation, Object argument) {
    write(object, operation.apply(read(object), argument));
  }

  @Override
  public void unknown(StoredObject object) {
    unknown.add(object);
  }
}
