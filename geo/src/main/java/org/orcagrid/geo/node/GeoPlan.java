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
package org.orcagrid.geo.node;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.partition.Placement;
import org.orcagrid.transport.tcp.HostPort;

/**
 * What all nodes of a store agree on: its datacenters, their nodes, and how many partitions there
 * are. Nodes are numbered through all datacenters, in their order.
 *
 * @param name of the store; who is of another one is refused
 * @param datacenters in their order, which never changes
 * @param partitions fixed when the store is made
 * @param replicas of a partition in each datacenter, at most as many as it has nodes
 * @param self this node's number; -1 of who only looks
 */
public record GeoPlan(
    String name, List<Datacenter> datacenters, int partitions, int replicas, int self) {
  /** The most partitions. */
  public static final int PARTITIONS_MAX = 4_096;

  /** The most nodes of all datacenters. */
  public static final int NODES_MAX = 31;

  static final int WAITING_MAX = 10_000;

  private static final long ELECTION_NANOS = 1_000_000_000L;
  private static final long BEAT_NANOS = 250_000_000L;

  /**
   * A datacenter.
   *
   * @param name unique in the store
   * @param nodes where its nodes listen
   */
  public record Datacenter(String name, List<HostPort> nodes) {}

  /** Refuses plans that no store can have. */
  public GeoPlan {
    datacenters = List.copyOf(datacenters);
    if (datacenters.isEmpty() || datacenters.size() > Positions.DATACENTERS_MAX) {
      throw new IllegalArgumentException(
          "A store has 1 to "
              + Positions.DATACENTERS_MAX
              + " datacenters, not "
              + datacenters.size());
    }
    int nodes = datacenters.stream().mapToInt(each -> each.nodes().size()).sum();
    if (nodes > NODES_MAX) {
      throw new IllegalArgumentException(
          "A store has at most " + NODES_MAX + " nodes in all datacenters, not " + nodes);
    }
    if (partitions < 1 || partitions > PARTITIONS_MAX) {
      throw new IllegalArgumentException(
          "geo.partitions is from 1 to " + PARTITIONS_MAX + ", not " + partitions);
    }
    for (Datacenter each : datacenters) {
      if (replicas < 1 || replicas > each.nodes().size()) {
        throw new IllegalArgumentException(
            "geo.replicas is from 1 to the nodes of each datacenter; "
                + each.name()
                + " has "
                + each.nodes().size()
                + ", not "
                + replicas);
      }
    }
    if (datacenters.stream().map(Datacenter::name).distinct().count() < datacenters.size()) {
      throw new IllegalArgumentException("Two datacenters have the same name: " + datacenters);
    }
    if (self >= nodes) {
      throw new IllegalArgumentException("There is no node " + self + " among " + nodes);
    }
  }

  long electionNanos() {
    return ELECTION_NANOS;
  }

  long beatNanos() {
    return BEAT_NANOS;
  }

  /** Where all nodes listen, by their numbers. */
  public List<HostPort> nodes() {
    List<HostPort> all = new ArrayList<>();
    datacenters.forEach(each -> all.addAll(each.nodes()));
    return all;
  }

  /** The datacenters as in {@code geo.datacenters}. */
  public String text() {
    return String.join(
        ";",
        datacenters.stream()
            .map(
                each ->
                    each.name()
                        + "="
                        + String.join(",", each.nodes().stream().map(Object::toString).toList()))
            .toList());
  }

  /** The datacenter of a node, by its place in the list. */
  public int datacenter(int node) {
    int first = 0;
    for (int i = 0; i < datacenters.size(); i++) {
      first += datacenters.get(i).nodes().size();
      if (node < first) {
        return i;
      }
    }
    throw new IllegalArgumentException("There is no node " + node);
  }

  /** A datacenter by its name; -1 if there is none. */
  public int datacenter(String wanted) {
    for (int i = 0; i < datacenters.size(); i++) {
      if (datacenters.get(i).name().equals(wanted)) {
        return i;
      }
    }
    return -1;
  }

  /** Where a partition's replicas are: the partitions take turns with a datacenter's nodes. */
  public Placement placement(int partition) {
    List<List<Integer>> places = new ArrayList<>();
    int first = 0;
    for (Datacenter each : datacenters) {
      List<Integer> there = new ArrayList<>();
      for (int i = 0; i < replicas; i++) {
        there.add(first + (partition + i) % each.nodes().size());
      }
      places.add(there.stream().sorted().toList());
      first += each.nodes().size();
    }
    return new Placement(places);
  }

  /** The node of this one's datacenter that is to lead a partition while it can. */
  int preferred(int partition) {
    List<Integer> there = placement(partition).nodes().get(datacenter(self));
    return there.get(partition % there.size());
  }

  /** Tells the store from others of the same name: what must be the same at all nodes. */
  public long id() {
    long id = name.hashCode();
    for (Datacenter each : datacenters) {
      id = (id * 31 + each.name().hashCode()) * 31 + each.nodes().size();
    }
    return ((id * 31 + partitions) * 31 + replicas) & Long.MAX_VALUE;
  }

  /** The same, as a node sees it. */
  public GeoPlan at(int node) {
    return new GeoPlan(name, datacenters, partitions, replicas, node);
  }
}
