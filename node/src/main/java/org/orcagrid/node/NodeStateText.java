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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapFigures;
import org.orcagrid.ddp.map.WorkerFigures;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.MembershipText;
import org.orcagrid.ddp.membership.PeerLease;
import org.orcagrid.ddp.node.KeysFigures;
import org.orcagrid.ddp.replica.ReplicaFigures;
import org.orcagrid.ddp.transfer.Progress;

/**
 * What a node says of itself as text, as it goes over a client's connection: a line for each thing,
 * words with one space between them. What may have any characters is the last of its line, and has
 * no line feeds.
 */
final class NodeStateText {
  private static final String FORMAT = "orca-node 1";
  private static final String NONE = "-";
  private static final int MAP_WORDS = 19;
  private static final int FREE_CHARS_MAX = 1000;

  private NodeStateText() {}

  // --- writing -----------------------------------------------------------------------------------

  static String of(NodeState state) {
    List<String> lines = new ArrayList<>(List.of(FORMAT));
    NodeState.Self self = state.self();
    lines.add("name " + free(self.grid()));
    lines.add("failure " + (self.failure() == null ? NONE : free(self.failure())));
    add(
        lines,
        "self",
        self.place(),
        self.address(),
        self.serves(),
        self.inView(),
        self.leaseMillis(),
        self.startedMillis(),
        self.workers(),
        self.mapsLeftOut());
    add(lines, "views", state.view() == null ? 0 : 1);
    if (state.view() != null) {
      lines.addAll(MembershipText.lines(state.view()));
    }
    state.sinceMillis().forEach(since -> add(lines, "since", since));
    for (PeerLease peer : state.peers()) {
      add(
          lines,
          "peer",
          peer.node(),
          peer.heardMillis(),
          peer.heldMillis(),
          peer.grantedMillis(),
          peer.inView());
    }
    KeysFigures keys = state.keys();
    add(
        lines,
        "keys",
        keys.keys(),
        keys.bytes(),
        keys.sessions(),
        keys.sessionsMax(),
        keys.slowReleases(),
        keys.slowPaths());
    NodeState.Counts counts = state.counts();
    add(
        lines,
        "counts",
        counts.clients(),
        counts.peers(),
        counts.linksLost(),
        counts.badPackets(),
        counts.refused(),
        counts.keyMessagesResent(),
        counts.mapFramesResent());
    lines.add("progress " + words(state.catchUp()));
    state.workers().forEach(worker -> add(lines, worker));
    lines.add("end");
    return String.join("\n", lines);
  }

  private static void add(List<String> lines, WorkerFigures worker) {
    WorkerFigures.Journal journal = worker.journal();
    boolean has = journal != null;
    add(
        lines,
        "worker",
        worker.worker(),
        has,
        has ? journal.bytes() : 0,
        has ? journal.live() : 0,
        has ? journal.bytesMax() : 0);
    for (MapFigures map : worker.maps()) {
      ReplicaFigures replica = map.replica();
      add(
          lines,
          map.map().toText(),
          replica.serves(),
          replica.entries(),
          replica.removals(),
          replica.bytes(),
          replica.held(),
          replica.unacknowledged(),
          map.undurable(),
          map.underWay(),
          words(map.progress()));
    }
  }

  private static void add(List<String> lines, String first, Object... more) {
    lines.add(first + " " + Stream.of(more).map(Object::toString).collect(Collectors.joining(" ")));
  }

  private static String words(Progress of) {
    return of.parts()
        + " "
        + of.whole()
        + " "
        + of.pages()
        + " "
        + of.entries()
        + " "
        + of.bytes()
        + " "
        + of.entriesMax();
  }

  private static String free(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() > FREE_CHARS_MAX ? line.substring(0, FREE_CHARS_MAX) : line;
  }

  // --- reading -----------------------------------------------------------------------------------

  /**
   * Reads what {@link #of} has written.
   *
   * @throws IllegalArgumentException if it is not that, saying what is wrong
   */
  static NodeState parse(String text) {
    List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
    try {
      return parse(lines);
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("A node has said less than it should", e);
    }
  }

  private static NodeState parse(List<String> lines) {
    if (!lines.remove(0).equals(FORMAT)) {
      throw new IllegalArgumentException("It is of another version: not " + FORMAT);
    }
    String name = rest(lines.remove(0), "name");
    String failure = rest(lines.remove(0), "failure");
    NodeState.Self self = self(lines.remove(0), name, failure);
    boolean hasView = MembershipText.words(lines.remove(0), "views", 1)[1].equals("1");
    GridView view = hasView ? MembershipText.view(lines) : null;
    List<Long> since = new ArrayList<>();
    while (lines.get(0).startsWith("since ")) {
      since.add(Long.parseLong(MembershipText.words(lines.remove(0), "since", 1)[1]));
    }
    List<PeerLease> peers = new ArrayList<>();
    while (lines.get(0).startsWith("peer ")) {
      long[] of = numbers(lines.remove(0), "peer", 5);
      peers.add(new PeerLease((int) of[0], of[1], of[2], of[3], (int) of[4]));
    }
    long[] keys = numbers(lines.remove(0), "keys", 6);
    long[] counts = numbers(lines.remove(0), "counts", 7);
    Progress progress = progress(lines.remove(0).split(" ", -1), 1);
    List<WorkerFigures> workers = new ArrayList<>();
    while (lines.get(0).startsWith("worker ")) {
      workers.add(worker(lines));
    }
    MembershipText.words(lines.get(0), "end", 0);
    return new NodeState(
        self,
        view,
        since,
        peers,
        new KeysFigures(
            (int) keys[0], keys[1], (int) keys[2], (int) keys[3], keys[4], (int) keys[5]),
        new NodeState.Counts(
            (int) counts[0],
            (int) counts[1],
            counts[2],
            counts[3],
            counts[4],
            counts[5],
            counts[6]),
        progress,
        workers);
  }

  private static NodeState.Self self(String line, String name, String failure) {
    String[] of = MembershipText.words(line, "self", 8);
    return new NodeState.Self(
        name,
        Integer.parseInt(of[1]),
        of[2],
        Boolean.parseBoolean(of[3]),
        Integer.parseInt(of[4]),
        Long.parseLong(of[5]),
        Long.parseLong(of[6]),
        Integer.parseInt(of[7]),
        Integer.parseInt(of[8]),
        failure.equals(NONE) ? null : failure);
  }

  private static WorkerFigures worker(List<String> lines) {
    String[] of = MembershipText.words(lines.remove(0), "worker", 5);
    WorkerFigures.Journal journal =
        Boolean.parseBoolean(of[2])
            ? new WorkerFigures.Journal(
                Long.parseLong(of[3]), Long.parseLong(of[4]), Long.parseLong(of[5]))
            : null;
    List<MapFigures> maps = new ArrayList<>();
    while (lines.get(0).startsWith("map ")) {
      maps.add(map(lines.remove(0)));
    }
    return new WorkerFigures(Integer.parseInt(of[1]), journal, maps);
  }

  private static MapFigures map(String line) {
    String[] of = MembershipText.words(line, "map", MAP_WORDS);
    MapDefinition map =
        MapDefinition.parse(String.join(" ", of[0], of[1], of[2], of[3], of[4], of[5]));
    ReplicaFigures replica =
        new ReplicaFigures(
            Boolean.parseBoolean(of[6]),
            Integer.parseInt(of[7]),
            Integer.parseInt(of[8]),
            Long.parseLong(of[9]),
            Long.parseLong(of[10]),
            Integer.parseInt(of[11]));
    return new MapFigures(
        map, replica, Long.parseLong(of[12]), Integer.parseInt(of[13]), progress(of, 14));
  }

  private static Progress progress(String[] of, int at) {
    return new Progress(
        Integer.parseInt(of[at]),
        Integer.parseInt(of[at + 1]),
        Long.parseLong(of[at + 2]),
        Long.parseLong(of[at + 3]),
        Long.parseLong(of[at + 4]),
        Long.parseLong(of[at + 5]));
  }

  private static String rest(String line, String first) {
    if (!line.startsWith(first + " ")) {
      throw new IllegalArgumentException("\"" + line + "\" where \"" + first + "\" is due");
    }
    return line.substring(first.length() + 1);
  }

  private static long[] numbers(String line, String first, int count) {
    String[] words = MembershipText.words(line, first, count);
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = Long.parseLong(words[i + 1]);
    }
    return numbers;
  }
}
