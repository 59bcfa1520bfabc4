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
package org.orcagrid.bench.zab;

import org.orcagrid.ddp.wire.Message;

/** What leading and following answer differently. */
interface Role {

  /**
   * Begins a write of a session of this node.
   *
   * @return false, and nothing was begun, if too much is under way: try again after a poll
   */
  boolean beginWrite(ZabSession session);

  /** A message of this protocol from another node. */
  void onMessage(int from, ZabMessage kind, Message message);

  /** Sends what has gathered, and again what was not answered. */
  void poll();

  /** Whether anything is under way. */
  boolean isBusy();
}
