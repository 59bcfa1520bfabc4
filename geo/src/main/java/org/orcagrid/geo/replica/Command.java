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
package org.orcagrid.geo.replica;

import java.util.List;
import org.orcagrid.geo.PositionVector;

/** What an entry of a group's log does. */
public sealed interface Command {

  /** A write of a client of this datacenter. */
  record Local(LocalWrite write) implements Command {}

  /**
   * Writes of another datacenter, in the order of its log (line 29).
   *
   * @param origin the datacenter
   */
  record Replicated(int origin, List<RemoteWrite> writes) implements Command {}

  /**
   * A part of what another datacenter has, for one that it cannot tell write by write.
   *
   * @param stream which sending it belongs to
   * @param part its number there, from 0
   * @param last whether it is the last one
   * @param vector what is there with all parts
   * @param fenced which datacenters were fenced where it comes from when it began: a bit for each
   */
  record Merged(
      MergeStream stream,
      int part,
      boolean last,
      PositionVector vector,
      int fenced,
      List<StoredVersion> versions)
      implements Command {}

  /**
   * Datacenters are being removed: nothing more is taken from them.
   *
   * @param datacenters a bit for each
   * @param ofHowMany datacenters there are
   */
  record Fence(int datacenters, int ofHowMany) implements Command {}

  /** Deletions up to these positions are known everywhere, and may be forgotten. */
  record Purge(PositionVector upTo) implements Command {}
}
