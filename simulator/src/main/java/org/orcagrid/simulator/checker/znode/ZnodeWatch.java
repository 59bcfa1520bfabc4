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
package org.orcagrid.simulator.checker.znode;

import org.orcagrid.simulator.checker.Access;

/**
 * A watch that a read has set, and its event.
 *
 * @param session whose
 * @param path of which znode
 * @param ofChildren whether it watches the names of the children, and not the node
 * @param zxid up to which the server had applied when it set the watch
 * @param setNanos when the read was answered
 * @param eventZxid the transaction that fired it; not above 0 if the event does not say
 * @param eventNanos when the event came; {@link Access#NEVER} if none has
 */
public record ZnodeWatch(
    int session,
    String path,
    boolean ofChildren,
    long zxid,
    long setNanos,
    long eventZxid,
    long eventNanos) {

  /** Whether its event has come. */
  public boolean fired() {
    return eventNanos != Access.NEVER;
  }
}
