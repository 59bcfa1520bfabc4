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

import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.DurableFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.ddp.worker.Workers;
import org.orcagrid.geo.log.LogKind;
import org.orcagrid.geo.log.LogNode;
import org.orcagrid.geo.log.NodeLogs;
import org.orcagrid.geo.log.RaftKind;
import org.orcagrid.geo.log.SnapshotFiles;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TcpTransport;

/** A node of the geo store in this process. */
public final class GeoNode implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GeoNode.class.getName());
  private static final int PACKET_BYTES_MAX = 64 << 10;
  private static final String STORE = "store";

  private final GeoPlan plan;
  private final Workers workers;
  private final ClientGate gate;
  private final NodeLogs logs;
  private final SnapshotFiles files;
  private final GeoStatus status;

  private GeoNode(
      GeoPlan plan,
      Workers workers,
      ClientGate gate,
      NodeLogs logs,
      SnapshotFiles files,
      GeoStatus status) {
    this.plan = plan;
    this.workers = workers;
    this.gate = gate;
    this.logs = logs;
    this.files = files;
    this.status = status;
  }

  /** Starts a node that knows the time of day. */
  public static GeoNode start(GeoConfig config, LinkListener listener, Consumer<Throwable> failures)
      throws IOException {
    SegmentLimits limits = SegmentLimits.DEFAULT.withBytesMax(config.journalBytesMax());
    Machine machine = new Machine(System::currentTimeMillis, LogMedium.kind(limits));
    return start(config, listener, failures, machine);
  }

  /**
   * What a node has of its machine; in tests the clock may be wrong, and the disk forget.
   *
   * @param wall milliseconds since 1970
   * @param journals where what its groups have written is durable
   */
  public record Machine(LongSupplier wall, MediumKind journals) {}

  /**
   * Starts a node. It serves when its groups have leaders.
   *
   * @param failures is told what has ended the node, once
   * @throws IOException if its folder is of another store or cannot be read, if its port is taken,
   *     or if its kind of log is not there
   */
  public static GeoNode start(
      GeoConfig config, LinkListener listener, Consumer<Throwable> failures, Machine machine)
      throws IOException {
    GeoPlan plan = config.plan();
    LogKind kind = kind(config);
    requireOwn(config);
    String name = "orca-geo-" + plan.self();
    ThreadFactory threads = new DefaultThreadFactory(name, true);
    AtomicReference<Workers> running = new AtomicReference<>();
    Consumer<Throwable> fail = reason -> fail(running.get(), reason, failures);
    SnapshotFiles files =
        new SnapshotFiles(
            config.folder().resolve("snapshots"),
            new DefaultThreadFactory(name + "-snapshots", true),
            fail);
    NodePort port =
        NodePort.of(plan.nodes().get(plan.self()), config.security(), IoKind.best(), listener);
    TcpTransport transport = new TcpTransport(links(config), port, listener);
    Workers workers = null;
    ClientGate gate = null;
    NodeLogs logs = null;
    try {
      logs = kind.open(logNode(config, files, fail));
      workers =
          Workers.open(
              plan.nodes().size(),
              config.workers(),
              new Workers.Environment(transport, System::nanoTime, threads, failures));
      running.set(workers);
      GeoPart part = part(config, machine, files, logs, fail);
      workers.host(part);
      GeoStatus status = new GeoStatus(plan, part);
      gate =
          new ClientGate(
              plan,
              port,
              new ClientGate.Answering(part, status, machine.wall()),
              IntStream.range(0, config.workers()).mapToObj(transport::loop).toList(),
              listener);
      workers.start();
      logs.start();
      gate.admit();
      return new GeoNode(plan, workers, gate, logs, files, status);
    } catch (IOException | RuntimeException | Error e) {
      if (gate != null) {
        gate.close();
      }
      if (workers != null) {
        workers.close();
      }
      if (logs != null) {
        logs.close();
      }
      files.close();
      if (e instanceof UncheckedIOException unchecked) {
        throw unchecked.getCause();
      }
      throw e;
    }
  }

  private static TcpSettings links(GeoConfig config) {
    GeoPlan plan = config.plan();
    return new TcpSettings(
        plan.name(),
        plan.self(),
        plan.nodes(),
        config.workers(),
        1,
        PACKET_BYTES_MAX,
        linkId(config));
  }

  private static void fail(Workers running, Throwable reason, Consumer<Throwable> failures) {
    LOG.log(System.Logger.Level.ERROR, "The node has failed", reason);
    if (running == null) {
      failures.accept(reason);
    } else {
      running.fail(reason);
    }
  }

  private static GeoPart part(
      GeoConfig config,
      Machine machine,
      SnapshotFiles files,
      NodeLogs logs,
      Consumer<Throwable> failures) {
    DirectMemory direct =
        new DirectMemory(
            () ->
                LOG.log(
                    System.Logger.Level.WARNING,
                    "There is no memory outside the heap any more: raise"
                        + " -XX:MaxDirectMemorySize"));
    ThreadFactory threads =
        new DefaultThreadFactory("orca-geo-" + config.plan().self() + "-journal", true);
    return new GeoPart(
        new GeoEngine.Shared(
            config.plan(),
            machine.wall(),
            files,
            logs,
            direct,
            failures,
            config.trial(),
            config.folder()),
        config.workers(),
        worker -> machine.journals().open(config.folder().resolve("journal-" + worker), threads));
  }

  private static LogKind kind(GeoConfig config) throws IOException {
    try {
      return LogKind.named(config.log());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static LogNode logNode(
      GeoConfig config, SnapshotFiles files, Consumer<Throwable> failures) {
    GeoPlan plan = config.plan();
    return new LogNode(
        plan.self(),
        plan.nodes(),
        plan.id(),
        config.folder(),
        files,
        new LogNode.Timing(plan.electionNanos(), plan.beatNanos()),
        failures);
  }

  /** Nodes with another kind of log are refused. */
  private static long linkId(GeoConfig config) {
    return isOurs(config) ? config.plan().id() : config.plan().id() ^ config.log().hashCode();
  }

  private static boolean isOurs(GeoConfig config) {
    return config.log().equals(RaftKind.NAME);
  }

  /** A folder is of one store, with as many workers and one kind of log. */
  private static void requireOwn(GeoConfig config) throws IOException {
    DurableFiles.makeFolder(config.folder().toAbsolutePath());
    Path mark = config.folder().resolve(STORE);
    String own =
        "store "
            + config.plan().id()
            + ", node "
            + config.plan().self()
            + ", workers "
            + config.workers()
            + (isOurs(config) ? "" : ", log " + config.log());
    if (!Files.exists(mark)) {
      DurableFiles.write(mark, StandardCharsets.UTF_8.encode(own + "\n"));
      return;
    }
    String there = Files.readString(mark).strip();
    if (!there.equals(own)) {
      throw new IOException(
          config.folder()
              + " is of "
              + there
              + ", and this is "
              + own
              + ": geo.name, the datacenters' names and how many nodes they have, geo.partitions,"
              + " geo.replicas, geo.workers and geo.log stay as they were, or the node gets an"
              + " empty folder");
    }
  }

  /** What all nodes agree on, with this node's number. */
  public GeoPlan plan() {
    return plan;
  }

  /** How many clients are connected. */
  public int clients() {
    return gate.connections();
  }

  /** What it is at, for people. */
  public String status() {
    return status.text(gate.clients(), false).toCompletableFuture().join();
  }

  /** What it is at, in the text format of Prometheus, version 0.0.4. */
  public String metrics() {
    return status.metrics(gate.clients()).toCompletableFuture().join();
  }

  /** What has ended the node, null if nothing has. */
  public Throwable failure() {
    return workers.failure();
  }

  @Override
  public void close() {
    gate.close();
    workers.close();
    logs.close();
    files.close();
  }
}
