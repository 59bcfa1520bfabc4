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
package org.orcagrid.geo.client;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.node.GeoPlan;
import org.orcagrid.geo.protocol.ClientAnswer;
import org.orcagrid.geo.protocol.ClientRequest;
import org.orcagrid.geo.session.SessionState;
import org.orcagrid.geo.session.SessionToken;
import org.orcagrid.transport.tcp.GridSecret;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;

/** A store over several datacenters, seen from outside. Safe for use by many threads. */
public final class RemoteGeo implements AutoCloseable {
  private static final long PAUSE_MILLIS = 10;
  private static final long ANSWER_NANOS_MAX = 3_000_000_000L;

  private final GeoSettings settings;
  private final Shown shown;
  private final EventLoopGroup loops;
  private final EventLoop loop;
  private final Map<HostPort, NodeLink> links = new ConcurrentHashMap<>();
  private final Map<Long, Integer> leaders = new ConcurrentHashMap<>();

  /** Once it is known. */
  private final AtomicReference<GeoPlan> plan = new AtomicReference<>();

  private final AtomicLong store = new AtomicLong();

  /** The nodes' time of day, as it is known best, less this machine's count of milliseconds. */
  private final AtomicLong aheadMillis = new AtomicLong(Long.MIN_VALUE);

  /** What a client shows. */
  record Shown(SslContext tls, GridSecret secret) {}

  private RemoteGeo(GeoSettings settings, Shown shown) {
    this.settings = settings;
    this.shown = shown;
    this.loops =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("orca-geo-client", true), IoKind.NIO.handlers());
    this.loop = loops.next();
  }

  /**
   * Connects to a store: to some node that answers.
   *
   * @throws GeoException if none does in the settings' time, with the last reason
   */
  public static RemoteGeo connect(GeoSettings settings) {
    Shown shown;
    try {
      shown =
          new Shown(
              settings.tls() == null ? null : settings.tls().client(),
              settings.secretFile() == null ? null : GridSecret.read(settings.secretFile()));
    } catch (IOException e) {
      throw new GeoException("No TLS, or no secret: " + e.getMessage(), e);
    }
    RemoteGeo geo = new RemoteGeo(settings, shown);
    try {
      geo.find();
      return geo;
    } catch (RuntimeException e) {
      geo.close();
      throw e;
    }
  }

  private void find() {
    long end = System.nanoTime() + settings.timeout().toNanos();
    // Nodes that do not answer leave time to ask all others.
    long part = settings.timeout().toNanos() / Math.max(1, settings.addresses().size());
    long wait = Math.min(part, ANSWER_NANOS_MAX);
    String reason = "no node is given";
    while (true) {
      for (HostPort each : settings.addresses()) {
        try {
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
          learn(link(each).ask(new ClientRequest.Describe()).get(wait, TimeUnit.NANOSECONDS));
          return;
        } catch (ExecutionException e) {
          reason = e.getCause().getMessage();
        } catch (TimeoutException e) {
          reason = each + " does not answer";
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new GeoException("Interrupted while connecting", e);
        }
      }
      if (System.nanoTime() - end > 0) {
        throw new GeoException(
            reason + "; check the addresses and the name \"" + settings.name() + "\"");
      }
    }
  }

  private void learn(ClientAnswer answer) {
    if (!(answer instanceof ClientAnswer.Description about)) {
      throw new GeoException("A node does not say what it is: " + answer);
    }
    List<GeoPlan.Datacenter> datacenters = new ArrayList<>();
    for (ClientAnswer.Datacenter each : about.datacenters()) {
      datacenters.add(
          new GeoPlan.Datacenter(each.name(), each.nodes().stream().map(HostPort::parse).toList()));
    }
    GeoPlan found =
        new GeoPlan(settings.name(), datacenters, about.partitions(), about.replicas(), -1);
    if (settings.home() != null && found.datacenter(settings.home()) < 0) {
      throw new GeoException(
          "The store has no datacenter "
              + settings.home()
              + ", but "
              + datacenters.stream().map(GeoPlan.Datacenter::name).toList());
    }
    store.set(about.store());
    saw(HybridClock.of(about.millis()));
    plan.set(found);
  }

  /** Opens a session that has seen nothing yet. */
  public GeoSession openSession() {
    return new GeoSession(this, new SessionState());
  }

  /**
   * Goes on with a session, here or anywhere.
   *
   * @param token as {@link GeoSession#token} gave it
   * @throws SessionToken.RefusedException if it is no token of this store
   * @throws IllegalStateException if the settings have no keys
   */
  public GeoSession resume(String token) {
    if (settings.keys() == null) {
      throw new IllegalStateException("Tokens need keys: see GeoSettings.keys");
    }
    return new GeoSession(this, SessionToken.read(token, settings.keys(), store.get()));
  }

  /** The datacenters' names. */
  public List<String> datacenters() {
    return plan.get().datacenters().stream().map(GeoPlan.Datacenter::name).toList();
  }

  /** The datacenter that requests go to unless they say otherwise. */
  public String datacenter() {
    return datacenters().get(home());
  }

  // --- for sessions ------------------------------------------------------------------------------

  GeoSettings settings() {
    return settings;
  }

  GeoPlan plan() {
    return plan.get();
  }

  long store() {
    return store.get();
  }

  EventLoop loop() {
    return loop;
  }

  int home() {
    return settings.home() == null ? 0 : plan().datacenter(settings.home());
  }

  /** The time at the nodes, about: not behind the latest that was seen. */
  long millis() {
    return countedMillis() + aheadMillis.get();
  }

  /** A node has told a hybrid time. */
  void saw(long time) {
    long ahead = HybridClock.millis(time) - countedMillis();
    aheadMillis.accumulateAndGet(ahead, Math::max);
  }

  /** This machine's time of day may be set; this count goes on. */
  private static long countedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  NodeLink link(HostPort address) {
    return links.computeIfAbsent(address, at -> new NodeLink(at, settings, shown, loop));
  }

  /** Asks a node; in a trial, one of another datacenter is far away. */
  CompletableFuture<ClientAnswer> ask(int node, ClientRequest request) {
    NodeLink link = link(plan().nodes().get(node));
    long waitNanos = settings.trial().wan().toNanos() / 2;
    if (waitNanos == 0 || plan().datacenter(node) == home()) {
      return link.ask(request);
    }
    return late(waitNanos)
        .thenCompose(sent -> link.ask(request))
        .thenCompose(answer -> late(waitNanos).thenApply(come -> answer));
  }

  private CompletableFuture<Void> late(long nanos) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    Object unused = loop.schedule(() -> over.complete(null), nanos, TimeUnit.NANOSECONDS);
    return over;
  }

  /** Whom to write to: the leader as far as it is known. */
  int leader(int datacenter, int partition) {
    Integer known = leaders.get(key(datacenter, partition));
    return known == null ? some(datacenter, partition) : known;
  }

  void leader(int datacenter, int partition, int node) {
    if (node < 0) {
      leaders.remove(key(datacenter, partition));
    } else {
      leaders.put(key(datacenter, partition), node);
    }
  }

  private static long key(int datacenter, int partition) {
    return ((long) datacenter << Integer.SIZE) + partition;
  }

  /** Some replica of a partition in a datacenter. */
  int some(int datacenter, int partition) {
    List<Integer> there = plan().placement(partition).nodes().get(datacenter);
    return there.get(ThreadLocalRandom.current().nextInt(there.size()));
  }

  /**
   * What a node says of itself, for people.
   *
   * @param digests whether with a digest of each partition, which reads all of it
   */
  public CompletableFuture<String> status(HostPort node, boolean digests) {
    return link(node)
        .ask(new ClientRequest.Status(digests))
        .thenApply(answer -> answer instanceof ClientAnswer.Text text ? text.text() : "" + answer);
  }

  /**
   * Tells a node that a datacenter is to be removed for good: the partitions that it leads, which
   * tell those of other datacenters. {@link #status} shows when that is done. Writes that only the
   * removed datacenter has are lost; sessions that saw them are told.
   *
   * @throws IllegalArgumentException if there is no such datacenter, or no other one
   */
  public CompletableFuture<Void> remove(HostPort node, String datacenter) {
    int found = plan().datacenter(datacenter);
    if (found < 0 || plan().datacenters().size() == 1) {
      throw new IllegalArgumentException(
          "There is no datacenter " + datacenter + " to be removed, of " + datacenters());
    }
    return link(node).ask(new ClientRequest.Remove(store(), found)).thenApply(told -> null);
  }

  /** Leaves the store; what is under way has an unknown outcome. */
  @Override
  public void close() {
    links.values().forEach(NodeLink::close);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
