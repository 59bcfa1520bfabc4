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
package org.orcagrid.mixed;

import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.plan.Command;

/**
 * A statement of a transaction, which does nothing by itself: it has to stand in one.
 *
 * @param <W> it writes nothing that is stronger, so it may stand behind any condition that is as
 *     consistent as that
 */
public class Stmt<W extends Level> {
  private final Command command;

  Stmt(Command command) {
    this.command = command;
  }

  Command command() {
    return command;
  }
}
