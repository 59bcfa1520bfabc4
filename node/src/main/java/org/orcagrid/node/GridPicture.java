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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapFigures;
import org.orcagrid.ddp.map.WorkerFigures;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.PeerLease;
import org.orcagrid.ddp.node.KeysFigures;
import org.orcagrid.ddp.transfer.Progress;

/**
 * A grid as some of its nodes tell of it, for those who look: the newest view that any of them
 * knows, and what each says of itself.
 *
 * @param grid the grid's name, null if no node has answered
 * @param view the number of the newest view, 0 for none
 * @param nodes by place; those that are in no view yet come last
 * @param maps in the order of their names
 * @param mapsLeftOut how many maps are not among them
 */
public record GridPicture(
    String grid, int view, List<NodeLine> nodes, List<MapLine> maps, int mapsLeftOut) {
  /** What a node is in the newest view, or that it is in none. */
  public enum Condition {
    /** It serves. */
    SERVES,
    /**
     * It is a member, and receives what it has missed, or waits for the view in which it serves.
     */
    CATCHES_UP,
    /** It was left out, or has left. */
    AWAY,
    /** It has never been a member. */
    NEW
  }

  /**
   * A node.
   *
   * @param place -1 if that is not known
   * @param address where it is, or was last
   * @param condition what it is in the newest view
   * @param life how many lives the place has had
   * @param sinceMillis when its condition began, as the nodes that have answered have seen it; 0 if
   *     none has
   * @param heardMillis since the last beat of it arrived at the node that heard it last; -1 if that
   *     is not known
   * @param objection why it has not answered, null if it has
   * @param said what it says, null if it has not answered
   */
  public record NodeLine(
      int place,
      String address,
      Condition condition,
      int life,
      long sinceMillis,
      long heardMillis,
      String objection,
      Said said) {}

  /**
   * What a node says of itself, but for its maps.
   *
   * @param journal of all of its workers together
   * @param silentWorkers how many of them stand still: they have not said what they have
   */
  public record Said(
      NodeState.Self self,
      List<PeerLease> peers,
      KeysFigures keys,
      NodeState.Counts counts,
      Progress catchUp,
      WorkerFigures.Journal journal,
      int silentWorkers) {
    private static Said of(NodeState state) {
      return new Said(
          state.self(),
          state.peers(),
          state.keys(),
          state.counts(),
          state.catchUp(),
          state.workers().stream()
              .map(WorkerFigures::journal)
              .filter(Objects::nonNull)
              .reduce(new WorkerFigures.Journal(0, 0, 0), Said::sum),
          state.self().workers() - state.workers().size());
    }

    private static WorkerFigures.Journal sum(WorkerFigures.Journal a, WorkerFigures.Journal b) {
      long most = a.bytesMax() + b.bytesMax();
      return new WorkerFigures.Journal(
          a.bytes() + b.bytes(), a.live() + b.live(), most < 0 ? Long.MAX_VALUE : most);
    }
  }

  /**
   * A map.
   *
   * @param copies nodes that have answered and serve it
   * @param homes nodes of the grid that should have it
   * @param entries keys that have a value, at the node that serves it and has most
   * @param bytes what it takes of memory, where it takes most
   * @param undurable records that are not durable yet, at the node with most
   * @param unacknowledged messages that one node has for another one, where these are most
   * @param held updates that have come to a node and are not shown there, where these are most
   * @param underWay operations of clients that have not ended, at all nodes
   * @param parts what each node that has answered has of it
   */
  public record MapLine(
      String name,
      String model,
      int copies,
      int homes,
      int entries,
      long bytes,
      long undurable,
      int unacknowledged,
      long held,
      int underWay,
      List<Part> parts) {}

  /** What a node has of a map. */
  public record Part(
      int place,
      String address,
      boolean serves,
      int entries,
      long bytes,
      long undurable,
      int unacknowledged,
      long held) {
    private static Part of(NodeState.Self self, MapFigures map) {
      return new Part(
          self.place(),
          self.address(),
          map.replica().serves(),
          map.replica().entries(),
          map.replica().bytes(),
          map.undurable(),
          map.replica().unacknowledged(),
          map.replica().held());
    }
  }

  /** Puts answers together. */
  public static GridPicture of(List<GridSurvey.Answer> answers) {
    List<NodeState> states =
        answers.stream().map(GridSurvey.Answer::state).filter(Objects::nonNull).toList();
    GridView view =
        states.stream()
            .map(NodeState::view)
            .filter(Objects::nonNull)
            .max(Comparator.comparingInt(GridView::number))
            .orElse(null);
    return new GridPicture(
        states.isEmpty() ? null : states.get(0).self().grid(),
        view == null ? 0 : view.number(),
        nodes(view, answers, states),
        maps(view, states),
        states.stream().mapToInt(state -> state.self().mapsLeftOut()).max().orElse(0));
  }

  // --- nodes -------------------------------------------------------------------------------------

  private static List<NodeLine> nodes(
      GridView view, List<GridSurvey.Answer> answers, List<NodeState> states) {
    List<NodeLine> lines = new ArrayList<>();
    List<GridSurvey.Answer> left = new ArrayList<>(answers);
    for (int place = 0; view != null && place < view.nodes(); place++) {
      GridView.Place at = view.places().get(place);
      if (at.memory().joined() == 0 && !at.member()) {
        continue;
      }
      Optional<GridSurvey.Answer> own = ofPlace(left, place, at);
      own.ifPresent(left::remove);
      lines.add(line(view, place, own.orElse(null), states));
    }
    for (GridSurvey.Answer each : left) {
      int place = each.state() == null ? -1 : each.state().self().place();
      lines.add(line(place, each.address().toString(), Condition.NEW, new Seen(0, 0, -1), each));
    }
    return lines;
  }

  /** A node that has answered knows its place; one that has not is known by its address. */
  private static Optional<GridSurvey.Answer> ofPlace(
      List<GridSurvey.Answer> answers, int place, GridView.Place at) {
    return answers.stream()
        .filter(
            each ->
                each.state() == null
                    ? each.address().toString().equals(at.address())
                    : each.state().self().place() == place)
        .findFirst();
  }

  private record Seen(int life, long sinceMillis, long heardMillis) {}

  private static NodeLine line(
      GridView view, int place, GridSurvey.Answer answer, List<NodeState> states) {
    GridView.Place at = view.places().get(place);
    Condition condition =
        view.serves(place) ? Condition.SERVES : at.member() ? Condition.CATCHES_UP : Condition.AWAY;
    Seen seen = new Seen(at.lives(), since(view, place, states), heard(place, states));
    return line(place, at.address(), condition, seen, answer);
  }

  private static NodeLine line(
      int place, String address, Condition condition, Seen seen, GridSurvey.Answer answer) {
    return new NodeLine(
        place,
        address,
        condition,
        seen.life(),
        seen.sinceMillis(),
        seen.heardMillis(),
        answer == null ? "it was not asked" : answer.objection(),
        answer == null || answer.state() == null ? null : Said.of(answer.state()));
  }

  /** The earliest time of those who have seen the place as it is in the newest view. */
  private static long since(GridView view, int place, List<NodeState> states) {
    GridView.Place now = view.places().get(place);
    return states.stream()
        .filter(state -> state.view() != null && state.sinceMillis().size() > place)
        .filter(state -> isSame(now, state.view().places().get(place)))
        .mapToLong(state -> state.sinceMillis().get(place))
        .min()
        .orElse(0);
  }

  private static boolean isSame(GridView.Place one, GridView.Place other) {
    return one.lives() == other.lives()
        && one.member() == other.member()
        && one.servesSince() == other.servesSince();
  }

  private static long heard(int place, List<NodeState> states) {
    return states.stream()
        .flatMap(state -> state.peers().stream())
        .filter(peer -> peer.node() == place && peer.heardMillis() != PeerLease.NEVER)
        .mapToLong(PeerLease::heardMillis)
        .min()
        .orElse(PeerLease.NEVER);
  }

  // --- maps --------------------------------------------------------------------------------------

  private static List<MapLine> maps(GridView view, List<NodeState> states) {
    Map<Integer, MapFigures> known = new TreeMap<>();
    Map<Integer, List<Part>> parts = new TreeMap<>();
    Map<Integer, Integer> underWay = new TreeMap<>();
    for (NodeState state : states) {
      for (MapFigures map : state.maps()) {
        int id = map.map().id();
        known.putIfAbsent(id, map);
        parts.computeIfAbsent(id, unused -> new ArrayList<>()).add(Part.of(state.self(), map));
        underWay.merge(id, map.underWay(), Integer::sum);
      }
    }
    return known.values().stream()
        .map(map -> line(view, map, parts.get(map.map().id()), underWay.get(map.map().id())))
        .sorted(Comparator.comparing(MapLine::name))
        .toList();
  }

  private static MapLine line(GridView view, MapFigures map, List<Part> parts, int underWay) {
    List<Part> serving = parts.stream().filter(Part::serves).toList();
    MapDefinition definition = map.map();
    int homes =
        view == null ? 0 : view.shares().homes(definition.id(), definition.copies(), view.parts());
    return new MapLine(
        map.map().name(),
        map.map().model().id(),
        serving.size(),
        Integer.bitCount(homes),
        serving.stream().mapToInt(Part::entries).max().orElse(0),
        parts.stream().mapToLong(Part::bytes).max().orElse(0),
        parts.stream().mapToLong(Part::undurable).max().orElse(0),
        parts.stream().mapToInt(Part::unacknowledged).max().orElse(0),
        parts.stream().mapToLong(Part::held).max().orElse(0),
        underWay,
        parts);
  }
}
