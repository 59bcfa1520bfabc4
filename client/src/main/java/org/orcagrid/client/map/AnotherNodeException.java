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
 * A thread has looked at one node, and its operations are done by another one now, which may have
 * other values. Nothing was written: look again.
 */
public final class AnotherNodeException extends GridException {
  private static final long serialVersionUID = 1L;

  AnotherNodeException(String message) {
    super(message);
  }
}
