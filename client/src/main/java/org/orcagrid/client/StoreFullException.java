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
package org.orcagrid.client;

/**
 * There is no room for the key or the value in the store of this node, or in those of so many that
 * no majority is left: for this operation, or for a relaxed write of the session before it. Of this
 * operation nothing was written.
 */
public final class StoreFullException extends GridException {
  private static final long serialVersionUID = 1L;

  StoreFullException() {
    super(
        "The store of this node, or of too many others, is full: nothing was written. Remove keys,"
            + " or start the nodes with a higher grid.bytes (and -XX:MaxDirectMemorySize)");
  }
}
