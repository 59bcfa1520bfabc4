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
package org.orcagrid.geo.message;

import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.replica.Command;
import org.orcagrid.geo.replica.MergeStream;

/** A message from a replica of a partition to another one. It may be lost, doubled, overtaken. */
public sealed interface GeoMessage {

  /** A forwarder tells writes of its datacenter to another one's leader (line 27); none to ask. */
  record Replicate(Command.Replicated writes) implements GeoMessage {}

  /** A forwarder tells a part of its replica's state to another datacenter's leader. */
  record Merge(Command.Merged part) implements GeoMessage {}

  /**
   * A leader answers a forwarder.
   *
   * @param stable how far the leader has come with each datacenter's writes
   * @param gap whether writes before those that came last are missing
   * @param stream the state that comes from the forwarder's datacenter
   * @param parts how many parts of it have come
   * @param handed what was fenced at the forwarder's datacenter when it began to hand over the
   *     state that has come: a bit for each datacenter
   */
  record Progress(PositionVector stable, boolean gap, MergeStream stream, int parts, int handed)
      implements GeoMessage {}

  /**
   * The receiver of writes does not lead.
   *
   * @param leader who does, -1 if that is not known
   */
  record NotLeading(int leader) implements GeoMessage {}

  /**
   * A leader tells all replicas of its partition, in all datacenters, about its group.
   *
   * @param term the leader's
   * @param forwarder the node that has the duty to forward
   * @param low what all replicas of the group have applied
   * @param own the position of the group's last write, committed or not
   * @param safePosition behind it, the group has no write that is not later than...
   * @param safeTime ...this hybrid timestamp
   * @param applied the last entry that the leader has applied
   * @param fenced datacenters that are being removed, or are: a bit for each
   */
  record Report(
      long term,
      int forwarder,
      PositionVector low,
      long own,
      long safePosition,
      long safeTime,
      long applied,
      int fenced)
      implements GeoMessage {}

  /**
   * A follower tells its leader how far it has come.
   *
   * @param stable what it has applied
   * @param wallMillis what its clock has passed for good: it is not behind that after a restart
   */
  record Standing(PositionVector stable, long wallMillis) implements GeoMessage {}
}
