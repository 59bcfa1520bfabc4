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

import java.util.List;

/**
 * What all clients of an ensemble were told, on one clock.
 *
 * @param calls their requests, in any order
 * @param watches their watches, in any order
 * @param losses when they lost their connections, in any order
 */
public record ZnodeHistory(List<ZnodeCall> calls, List<ZnodeWatch> watches, List<Loss> losses) {

  /**
   * A session has lost its connection, and goes on with another one or expires.
   *
   * @param session which
   * @param nanos when its client has told it so, in the order of its answers and events
   */
  public record Loss(int session, long nanos) {}
}
