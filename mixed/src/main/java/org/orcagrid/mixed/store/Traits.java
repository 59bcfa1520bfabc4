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

import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.level.Levels;

/**
 * What a client knows of a store.
 *
 * @param name that its objects have
 * @param level that it promises
 * @param group of replicas that the client writes to; as its name where there is one only
 * @param merge of versions that know nothing of each other
 * @param hasRows whether rows of tables are objects there, as {@link RowKey} names them
 */
public record Traits(
    String name,
    Class<? extends Level> level,
    String group,
    Role role,
    Merge merge,
    boolean hasRows) {
  /** Those of a store without rows of tables. */
  public Traits(String name, Class<? extends Level> level, String group, Role role, Merge merge) {
    this(name, level, group, role, merge, false);
  }

  /** Whether it is one that checks what was read. */
  public boolean isStrong() {
    return role != Role.FOLLOWS;
  }

  /**
   * Whether a part is seen as a whole, after all that came before it: by everybody who reads the
   * store, and not only by those who know of the transaction. Of a store that is weaker than causal
   * it is not. Then a replica that has a transaction's record may lack some of what it has written,
   * and what one client has read of it is of no use to another.
   */
  public boolean isWhole() {
    return Levels.isAtLeast(level, Causal.class);
  }

  @Override
  public String toString() {
    String where = group.equals(name) ? "" : " at " + group;
    return name + where + " (" + Levels.name(level) + ")";
  }
}
