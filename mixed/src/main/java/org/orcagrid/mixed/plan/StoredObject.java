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

import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.level.Levels;

/**
 * An object of a store.
 *
 * @param store its name
 * @param level what the store promises
 * @param key what the store knows it by
 */
public record StoredObject(String store, Class<? extends Level> level, Object key) {
  @Override
  public String toString() {
    return store + "/" + key + " (" + Levels.name(level) + ")";
  }
}
