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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.level.Levels;
import org.orcagrid.mixed.plan.Access;
import org.orcagrid.mixed.plan.FunctionFailedException;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.MissingException;
import org.orcagrid.mixed.plan.Operation;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.store.RowKey;
import org.orcagrid.mixed.store.Traits;

/** The stores, as one evaluation of a transaction finds them, with what it has written itself. */
final class Writes implements Access {
  private final Map<String, Traits> stores;
  private final Reads reads;
  private final Set<StoredObject> missing = new LinkedHashSet<>();
  private final Set<StoredObject> unknown = new HashSet<>();
  private final Set<StoredObject> read = new HashSet<>();
  private final Map<StoredObject, List<Change>> written = new LinkedHashMap<>();

  /** A write; {@code operation} is null if the object gets the value. */
  record Change(Operation operation, Object value) {}

  Writes(Map<String, Traits> stores, Reads reads) {
    this.stores = stores;
    this.reads = reads;
  }

  private Traits traits(StoredObject object) {
    Traits traits = stores.get(object.store());
    if (traits == null) {
      throw new IllegalTransactionException(
          "The client has no store "
              + object.store()
              + " for "
              + object
              + "; it has "
              + String.join(", ", stores.keySet().stream().sorted().toList()));
    }
    if (!traits.level().equals(object.level())) {
      throw new IllegalTransactionException(
          object
              + " is in a store that is "
              + Levels.name(traits.level())
              + "; give its StoreName that level");
    }
    if (object.key() instanceof RowKey && !traits.hasRows()) {
      throw new IllegalTransactionException(
          object
              + " is a row of a table, and "
              + traits
              + " has none; use the StoreName of the PostgresStore that was given its Mapped");
    }
    return traits;
  }

  @Override
  public Object read(StoredObject object) {
    traits(object);
    if (unknown.contains(object)) {
      throw new MissingException();
    }
    List<Change> changes = written.getOrDefault(object, List.of());
    if (!changes.isEmpty() && changes.get(0).operation() == null) {
      return fold(null, changes);
    }
    return fold(stored(object), changes);
  }

  private Object stored(StoredObject object) {
    read.add(object);
    if (!reads.has(object)) {
      missing.add(object);
      throw new MissingException();
    }
    return reads.value(object);
  }

  private static Object fold(Object base, List<Change> changes) {
    Object value = base;
    for (Change each : changes) {
      value =
          each.operation() == null ? each.value() : applied(each.operation(), value, each.value());
    }
    return value;
  }

  private static Object applied(Operation operation, Object present, Object argument) {
    try {
      return operation.apply(present, argument);
    } catch (RuntimeException e) {
      throw new FunctionFailedException("The change " + operation.name() + " has failed: " + e, e);
    }
  }

  @Override
  public void write(StoredObject object, Object value) {
    traits(object);
    unknown.remove(object);
    written.put(object, new ArrayList<>(List.of(new Change(null, value))));
  }

  @Override
  public void change(StoredObject object, Operation operation, Object argument) {
    if (traits(object).isStrong()) {
      write(object, applied(operation, read(object), argument));
    } else if (!unknown.contains(object)) {
      written
          .computeIfAbsent(object, none -> new ArrayList<>())
          .add(new Change(operation, argument));
    }
  }

  @Override
  public void unknown(StoredObject object) {
    unknown.add(object);
  }

  /** What has to be read before it can be evaluated. */
  Set<StoredObject> missing() {
    return missing;
  }

  /** What was read, own writes aside. */
  Set<StoredObject> read() {
    return read;
  }

  /** What is written, in its order. */
  Map<StoredObject, List<Change>> written() {
    return written;
  }
}
