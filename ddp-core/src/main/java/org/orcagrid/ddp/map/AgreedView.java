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
package org.orcagrid.ddp.map;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.MembershipText;
import org.orcagrid.ddp.replica.state.ReplicaView;

/**
 * What all nodes agree on, one view after the other: who is a member, who serves, and which maps
 * there are. A view is kept durably, by whoever agrees on views, before any node is told of it.
 *
 * @param nodes who is a member, and who serves
 * @param nextMap the number of the next map
 * @param maps the maps
 */
public record AgreedView(GridView nodes, int nextMap, List<MapDefinition> maps) {
  private static final String FORMAT = "orca-maps 4";

  /** A view of these maps. */
  public AgreedView {
    maps = List.copyOf(maps);
  }

  /** The first view, in which there is no map yet. */
  public static AgreedView first(GridView nodes) {
    return new AgreedView(nodes, 1, List.of());
  }

  /** Its number. */
  public int number() {
    return nodes.number();
  }

  /** The same as the replicas of a map see it: only the map's homes are in it. */
  public ReplicaView replicas(MapDefinition map) {
    return ReplicaView.of(nodes, homes(map));
  }

  /** The places that have a map, or are to have it, as a mask. */
  public int homes(MapDefinition map) {
    return nodes.shares().homes(map.id(), map.copies(), nodes.parts());
  }

  /**
   * Whether the node at a place is to host a map in this view. It gives it up only where somebody
   * serves: while all recover together, each home has to tell what it knows.
   */
  boolean isHostedBy(int place, MapDefinition map) {
    int hosts =
        nodes.serving() == 0
            ? homes(map)
            : nodes.shares().keepers(map.id(), map.copies(), nodes.parts());
    return (hosts & Quorum.of(place)) != 0;
  }

  /** Where the node of each place is, or was last. */
  public List<String> addresses() {
    return nodes.places().stream().map(GridView.Place::address).toList();
  }

  /** The map with this name. */
  public Optional<MapDefinition> map(String name) {
    return maps.stream().filter(map -> map.name().equals(name)).findFirst();
  }

  /**
   * The numbers of maps that were removed: no map will ever have them again. One that this view
   * does not have yet is none of them.
   */
  IntPredicate gone() {
    return absent(map -> true);
  }

  /** The same, and the numbers of maps that the place is no home of. */
  IntPredicate goneFrom(int place) {
    return absent(map -> (homes(map) & Quorum.of(place)) != 0);
  }

  private IntPredicate absent(Predicate<MapDefinition> isThere) {
    Set<Integer> there =
        maps.stream().filter(isThere).map(MapDefinition::id).collect(Collectors.toSet());
    return id -> id < nextMap && !there.contains(id);
  }

  /** The next view, of other members. */
  public AgreedView with(GridView next) {
    requireNext(next);
    return new AgreedView(next, nextMap, maps);
  }

  private void requireNext(GridView next) {
    if (next.number() != number() + 1) {
      throw new IllegalArgumentException(
          "View " + next.number() + " does not follow view " + number());
    }
  }

  /** The next view, in which there is one more map. */
  AgreedView with(MapDefinition map) {
    List<MapDefinition> all = new ArrayList<>(maps);
    all.add(map);
    return new AgreedView(nodes.withCopiesMin(copiesMin(all)), map.id() + 1, all);
  }

  /** The next view, in which a map is gone. */
  AgreedView without(MapDefinition map) {
    List<MapDefinition> all = new ArrayList<>(maps);
    all.remove(map);
    return new AgreedView(nodes.withCopiesMin(copiesMin(all)), nextMap, all);
  }

  private static int copiesMin(List<MapDefinition> maps) {
    return maps.stream().mapToInt(MapDefinition::copies).filter(each -> each > 0).min().orElse(0);
  }

  /** What the view {@code next}, which follows this one, is kept as. */
  public ViewRecord recordOf(AgreedView next) {
    Set<MapDefinition> before = new HashSet<>(maps);
    Set<MapDefinition> after = new HashSet<>(next.maps);
    return new ViewRecord(
        next.nodes,
        next.nextMap,
        next.maps.stream().filter(map -> !before.contains(map)).toList(),
        maps.stream().filter(map -> !after.contains(map)).map(MapDefinition::id).toList());
  }

  /** The view that a record tells of, which follows this one. */
  public AgreedView with(ViewRecord record) {
    requireNext(record.nodes());
    List<MapDefinition> all = new ArrayList<>(maps);
    all.removeIf(map -> record.removed().contains(map.id()));
    all.addAll(record.added());
    return new AgreedView(record.nodes(), record.nextMap(), all);
  }

  // --- as text -----------------------------------------------------------------------------------

  /** As text, a line for each thing; {@link #parse} reads it. */
  public byte[] toBytes() {
    List<String> lines = new ArrayList<>(List.of(FORMAT));
    lines.addAll(MembershipText.lines(nodes));
    lines.add("maps " + nextMap);
    maps.forEach(map -> lines.add(map.toText()));
    lines.add("end");
    return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a view.
   *
   * @throws IllegalArgumentException if it is not one, saying what is wrong
   */
  public static AgreedView parse(byte[] bytes) {
    List<String> lines = ViewRecord.lines(bytes, FORMAT);
    GridView nodes = MembershipText.view(lines);
    int nextMap = ViewRecord.nextMap(lines.remove(0));
    return new AgreedView(nodes, nextMap, lines.stream().map(MapDefinition::parse).toList());
  }
}
