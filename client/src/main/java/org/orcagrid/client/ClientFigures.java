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
 * What a client has of connections at a moment, and what it has counted since it was made.
 *
 * @param known nodes whose addresses it was given
 * @param nodes how it stands with these
 * @param opened connections that nodes have accepted; one that is lost and found again counts once
 * @param failed connections that were not had
 */
public record ClientFigures(int known, Nodes nodes, long opened, long failed) {
  /**
   * How it stands with nodes. Others were not needed yet, or are lost.
   *
   * @param connected there is a connection
   * @param away the connection is lost, and another one is tried for
   * @param silent has not answered, and is the last to be tried
   */
  public record Nodes(int connected, int away, int silent) {}
}
