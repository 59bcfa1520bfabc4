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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.mixed.level.Levels;

/** Stores in a map, and in what order they were asked. */
public final class MapAccess implements Access {
  private final Map<StoredObject, Object> objects = new HashMap<>();
  private final List<String> asked = new ArrayList<>();

  /** Empty ones. */
  public MapAccess() {}

  MapAccess(MapAccess other) {
    objects.putAll(other.objects);
  }

  MapAccess with(StoredObject object, Object value) {
    objects.put(object, value);
    return this;
  }

  /** What they hold. */
  public Map<StoredObject, Object> objects() {
    return objects;
  }

  /** Which levels were asked one after the other, each once in a row. */
  List<String> levels() {
    List<String> levels = new ArrayList<>();
    for (String each : asked) {
      if (levels.isEmpty() || !levels.get(levels.size() - 1).equals(each)) {
        levels.add(each);
      }
    }
    return levels;
  }

  int reads() {
    return asked.size();
  }

  @Override
  public Object read(StoredObject object) {
    asked.add(Levels.name(object.level()));
    return objects.get(object);
  }

  @Override
  public void write(StoredObject object, Object value) {
    asked.add(Levels.name(object.level()));
    objects.put(object, value);
  }

  @Override
  public void change(StoredObject object, Operation operation, Object argument) {
    asked.add(Levels.name(object.level()));
    objects.put(object, operation.apply(objects.get(object), argument));
  }
}
