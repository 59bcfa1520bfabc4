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
package org.orcagrid.client.map;

import org.orcagrid.client.GridException;

/**
 * This node was left out of the grid, has left it, or cannot be reached any more. This operation
 * may still take effect, unless it is a {@link org.orcagrid.client.NotDoneException}. The thread's
 * next operation is of another session, which may not show yet what the thread has seen before.
 */
public class SessionLostException extends GridException {
  private static final long serialVersionUID = 1L;

  /** A session that was lost for this reason. */
  protected SessionLostException(String message) {
    super(message);
  }
}
