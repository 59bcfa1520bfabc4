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
package org.orcagrid.node;

import java.util.List;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapFigures;
import org.orcagrid.ddp.map.WorkerFigures;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.PeerLease;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.node.KeysFigures;
import org.orcagrid.ddp.replica.ReplicaFigures;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.transfer.Progress;

/** What nodes might say. */
final class NodeStates {
  private NodeStates() {}

  static GridView.Place place(int number, boolean member, int servesSince) {
    return new GridView.Place(
        3,
        10 + number,
        "node" + number + ":7200",
        member,
        servesSince,
        new GridView.Memory(100 + number, 1, 0, true));
  }

  /** One that serves, one that catches up, one that is away, and one that there is not. */
  static GridView view(int number) {
    return new GridView(
        7,
        number,
        1,
        1,
        0,
        List.of(
            place(0, true, 1),
            place(1, true, 0),
            place(2, false, 0),
            new GridView.Place(0, 0, "-", false, 0, new GridView.Memory(0, 0, 0, false))));
  }

  static MapFigures map(int id, String name, boolean serves, int entries) {
    return new MapFigures(
        new MapDefinition(id, name, Ddp.parse("causal/strict"), Conflicts.ABORT, 0),
        new ReplicaFigures(serves, entries, 2, 1000L * entries, 4, 5),
        6 + entries,
        7,
        new Progress(1, 0, 2, 3, 4, 5));
  }

  static NodeState state(int place, GridView view, String failure, List<MapFigures> maps) {
    return new NodeState(
        new NodeState.Self(
            "shop", place, "node" + place + ":7200", true, 4, 321, 1_000, 2, 0, failure),
        view,
        List.of(1_000L + place, 2_000L, 3_000L, 4_000L),
        List.of(new PeerLease(1 - place, 12 + place, 34, 56, 4)),
        new KeysFigures(1, 2, 3, 4, 5, 6),
        new NodeState.Counts(1, 2, 3, 4, 5, 6, 7),
        new Progress(2, 1, 3, 4, 5, 6),
        List.of(
            new WorkerFigures(0, new WorkerFigures.Journal(10, 20, Long.MAX_VALUE), maps),
            new WorkerFigures(1, null, List.of())));
  }
}
