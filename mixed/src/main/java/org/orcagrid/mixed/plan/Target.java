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

/** The object that something is read from or written to. */
public sealed interface Target {
  /** Its store's. */
  Class<? extends Level> level();

  /** One that is known when the transaction is built. */
  record Named(StoredObject object) implements Target {
    @Override
    public Class<? extends Level> level() {
      return object.level();
    }
  }

  /** One that a value names, which is a {@link Reference}. */
  record Referenced(Class<? extends Level> level, Term reference) implements Target {}
}
