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
package org.orcagrid.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.orcagrid.client.ClientFigures;
import org.orcagrid.client.DeadlineFigures;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.client.NodeFigures;
import org.orcagrid.client.RemoteGrid;

/**
 * The meters of a node or of a client in a registry, {@code orca.grid.…}, until they are closed.
 * Each is read when the registry publishes, and costs nothing before. A registry keeps no grid from
 * being collected.
 *
 * <pre>{@code
 * try (MemberGrid grid = Grid.join(settings); GridMetrics metrics = GridMetrics.bind(registry, grid)) {
 *   …
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class GridMetrics implements AutoCloseable {
  private static final String NODE = "orca.grid.node.";
  private static final String CLIENT = "orca.grid.client.";
  private static final String BYTES = "bytes";

  private final MeterRegistry registry;
  private final List<Meter> meters = new ArrayList<>();

  private GridMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Registers the meters of a node, with the tags {@code grid}, its name, and {@code node}, its
   * address.
   *
   * @return removes them when it is closed
   */
  public static GridMetrics bind(MeterRegistry registry, MemberGrid member) {
    GridMetrics metrics = new GridMetrics(registry);
    Tags tags = Tags.of("grid", member.gridName(), "node", member.address().toString());
    metrics.addNode(new Source<>(member, MemberGrid::figures, tags));
    metrics.addDeadlines(new Source<>(member, MemberGrid::deadlines, tags), NODE);
    return metrics;
  }

  /**
   * Registers the meters of a client, with the tags {@code grid}, the grid's name, and {@code
   * client}, which is {@code default}.
   *
   * @return removes them when it is closed
   */
  public static GridMetrics bind(MeterRegistry registry, RemoteGrid client) {
    return bind(registry, client, "default");
  }

  /**
   * The same for one of several clients of one grid.
   *
   * @param name the tag {@code client}
   */
  public static GridMetrics bind(MeterRegistry registry, RemoteGrid client, String name) {
    GridMetrics metrics = new GridMetrics(registry);
    Tags tags = Tags.of("grid", client.gridName(), "client", name);
    metrics.addClient(new Source<>(client, RemoteGrid::figures, tags));
    metrics.addDeadlines(new Source<>(client, RemoteGrid::deadlines, tags), CLIENT);
    return metrics;
  }

  /** Where figures come from. */
  private record Source<G, F>(G grid, Function<G, F> figures, Tags tags) {
    ToDoubleFunction<G> of(ToDoubleFunction<F> figure) {
      // Not of this record: the registry would keep the grid.
      Function<G, F> read = figures;
      return from -> figure.applyAsDouble(read.apply(from));
    }
  }

  // --- what there is -----------------------------------------------------------------------------

  private void addNode(Source<MemberGrid, NodeFigures> of) {
    gauge(of, NODE + "serving", "1 if this node serves, else 0", f -> f.serving() ? 1 : 0);
    gauge(of, NODE + "nodes.serving", "Nodes of the grid that serve", f -> f.grid().nodes());
    gauge(of, NODE + "maps", "Maps of the grid", f -> f.grid().maps());
    gauge(of, NODE + "clients", "Clients that are connected", f -> f.links().clients());
    counter(of, NODE + "connections.refused", "Connections refused", f -> f.links().refused());
    gauge(of, NODE + "peers", "Other nodes that there is a link to", f -> f.links().peers());
    counter(of, NODE + "links.lost", "Links that were lost", f -> f.links().lost());
    counter(of, NODE + "packets.bad", "Packets that no node can send", f -> f.links().badPackets());
    counter(
        of,
        NODE + "keys.releases.slow",
        "Releases that went on with a majority",
        f -> f.counts().slowReleases());
    counter(of, NODE + "keys.slow.paths", "Turns to the slow path", f -> f.counts().slowPaths());
    counter(
        of,
        NODE + "keys.messages.resent",
        "Messages of keys that found no room in their link",
        f -> f.counts().keyMessagesResent());
    counter(
        of,
        NODE + "maps.frames.resent",
        "Frames of maps that found no room in their link",
        f -> f.counts().mapFramesResent());
    counter(
        of, NODE + "zones.records", "Records put into peers' zones", f -> f.counts().zoneRecords());
    addCatchUp(of);
  }

  /** With the names that an ORCA server has for its node. */
  private void addCatchUp(Source<MemberGrid, NodeFigures> of) {
    String prefix = "orca.grid.catch.up.";
    gauge(
        of,
        prefix + "parts.left",
        "Maps, and the keys as one, that are not received as a whole",
        f -> f.catchUp().parts() - f.catchUp().whole());
    gauge(of, prefix + "pages", "Pages received", f -> f.catchUp().pages());
    gauge(of, prefix + "entries", "Entries received", f -> f.catchUp().entries());
    gauge(of, prefix + "entries.max", "Entries that sources have", f -> f.catchUp().entriesMax());
    add(
        Gauge.builder(prefix + BYTES, of.grid(), of.of(f -> f.catchUp().bytes()))
            .description("Bytes received")
            .baseUnit(BYTES)
            .tags(of.tags())
            .register(registry));
  }

  private void addClient(Source<RemoteGrid, ClientFigures> of) {
    gauge(of, CLIENT + "nodes", "Nodes whose addresses it was given", ClientFigures::known);
    gauge(of, CLIENT + "nodes.connected", "Nodes that are connected", f -> f.nodes().connected());
    gauge(of, CLIENT + "nodes.away", "Nodes whose connection is lost", f -> f.nodes().away());
    gauge(of, CLIENT + "nodes.silent", "Nodes that do not answer", f -> f.nodes().silent());
    counter(of, CLIENT + "connections.opened", "Connections accepted", ClientFigures::opened);
    counter(of, CLIENT + "connections.failed", "Connections not had", ClientFigures::failed);
  }

  private <G> void addDeadlines(Source<G, DeadlineFigures> of, String prefix) {
    counter(
        of,
        prefix + "deadlines.passed",
        "Asynchronous operations not ended in time",
        DeadlineFigures::passed);
    counter(of, prefix + "deadlines.late", "Those of them ended since", DeadlineFigures::late);
  }

  private <G, F> void gauge(
      Source<G, F> of, String name, String description, ToDoubleFunction<F> figure) {
    add(
        Gauge.builder(name, of.grid(), of.of(figure))
            .description(description)
            .tags(of.tags())
            .register(registry));
  }

  private <G, F> void counter(
      Source<G, F> of, String name, String description, ToDoubleFunction<F> figure) {
    add(
        FunctionCounter.builder(name, of.grid(), of.of(figure))
            .description(description)
            .tags(of.tags())
            .register(registry));
  }

  private synchronized void add(Meter meter) {
    meters.add(meter);
  }

  /** Removes the meters from the registry; the grid goes on. */
  @Override
  public synchronized void close() {
    meters.forEach(registry::remove);
    meters.clear();
  }
}
