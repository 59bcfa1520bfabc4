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
package org.orcagrid.examples.mailbox;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.log.RaftKind;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.GeoNode;
import org.orcagrid.geo.node.GeoPlan;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.TokenKeys;
import org.orcagrid.geo.session.WriteGuarantee;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.PortSecurity;

/**
 * A store in two datacenters of this process: a node in each, with the clients of the web servers
 * there. The nodes reach each other over a link that can be cut; a datacenter's clients ask its own
 * node only.
 */
final class TwoDatacenters implements AutoCloseable {
  static final String WEST = "west";
  static final String EAST = "east";

  /** In the order of the store. */
  static final List<String> NAMES = List.of(WEST, EAST);

  private static final String STORE = "mailbox";
  private static final int PARTITIONS = 4;
  private static final long JOURNAL_BYTES = 256 << 20;
  private static final int KEY_BYTES = 32;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration START_MAX = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 20;

  /** A node that hears the other one is less behind; one that has heard nothing, since 1970. */
  private static final long AGE_MILLIS_MAX = 5_000;

  private final WideLink link = new WideLink();
  private final List<GeoNode> nodes = new ArrayList<>();
  private final List<RemoteGeo> clients = new ArrayList<>();

  private TwoDatacenters() {}

  /**
   * Starts both; returns when each hears the other.
   *
   * @param folder gets the nodes' files
   * @param port of the first node; that of the other one follows
   * @throws IOException if a node cannot be started, or they do not hear each other
   */
  static TwoDatacenters start(Path folder, int port) throws IOException, InterruptedException {
    TwoDatacenters both = new TwoDatacenters();
    try {
      for (int self = 0; self < NAMES.size(); self++) {
        both.start(folder, port, self);
      }
      byte[] secret = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(secret);
      for (int i = 0; i < NAMES.size(); i++) {
        both.clients.add(RemoteGeo.connect(settings(i, port, TokenKeys.of(1, secret))));
      }
      if (!both.awaitCaughtUp(START_MAX)) {
        throw new IOException("The datacenters do not hear each other: " + both.lags());
      }
      return both;
    } catch (IOException | InterruptedException | RuntimeException e) {
      both.close();
      throw e;
    }
  }

  private void start(Path folder, int port, int self) throws IOException {
    GeoConfig config =
        new GeoConfig(
            plan(port, self),
            folder.resolve(NAMES.get(self)),
            1,
            JOURNAL_BYTES,
            RaftKind.NAME,
            PortSecurity.NONE,
            null,
            GeoConfig.Trial.NONE);
    // The page says that the link is cut: the log need not.
    nodes.add(
        GeoNode.start(
            config,
            LinkListener.NONE,
            failure -> System.err.println("The node of " + NAMES.get(self) + ": " + failure)));
  }

  /** What a node knows: to it, the other one is at the link's end. */
  private GeoPlan plan(int port, int self) throws IOException {
    List<GeoPlan.Datacenter> datacenters = new ArrayList<>();
    for (int i = 0; i < NAMES.size(); i++) {
      int reached = i == self ? port + i : link.port(self, i, port + i);
      datacenters.add(new GeoPlan.Datacenter(NAMES.get(i), List.of(loopback(reached))));
    }
    return new GeoPlan(STORE, datacenters, PARTITIONS, 1, self);
  }

  private static HostPort loopback(int port) {
    return new HostPort("127.0.0.1", port);
  }

  private static GeoSettings settings(int datacenter, int port, TokenKeys keys) {
    String name = NAMES.get(datacenter);
    return GeoSettings.of(name + "=" + loopback(port + datacenter))
        .name(STORE)
        .home(name)
        .keys(keys)
        .timeout(TIMEOUT);
  }

  /** Between the datacenters. */
  WideLink link() {
    return link;
  }

  /** The store as the web servers of a datacenter see it. */
  RemoteGeo client(String datacenter) {
    int which = NAMES.indexOf(datacenter);
    if (which < 0) {
      throw new IllegalArgumentException(
          "There is no datacenter '" + datacenter + "'; choose from " + NAMES);
    }
    return clients.get(which);
  }

  Mailbox mailbox(GeoSession session, String user, String at) {
    return new Mailbox(session, user, at, NAMES);
  }

  /** Somebody else writes to a user. */
  Mail deliver(String at, String user, String from, String text) {
    try (GeoSession session = client(at).openSession()) {
      return mailbox(session, user, at).deliver(from, text, WriteGuarantee.EVENTUAL);
    }
  }

  /**
   * How far a datacenter is behind the other one.
   *
   * @param at the one that is behind
   * @param of the other one
   * @param mails of the other one that are not here
   * @param ageMillis all writes that are older are here
   */
  record Lag(String at, String of, long mails, long ageMillis) {}

  /** How far each is behind, as only somebody sees who looks at both. */
  List<Lag> lags() {
    return List.of(lag(WEST, EAST), lag(EAST, WEST));
  }

  private Lag lag(String at, String of) {
    return new Lag(at, of, newest(of, of) - newest(at, of), ageMillis(at, of));
  }

  /** The number of the last mail of a datacenter that is at another one. */
  private long newest(String at, String of) {
    try (GeoSession session = client(at).openSession()) {
      return mailbox(session, Ann.NAME, at).read(ReadGuarantee.EVENTUAL).mails().stream()
          .filter(mail -> mail.datacenter().equals(of))
          .mapToInt(Mail::number)
          .max()
          .orElse(0);
    }
  }

  /** The node's own word: the worst of its partitions. */
  private long ageMillis(String at, String of) {
    Matcher lags =
        Pattern.compile(" lag\\." + of + "=\\d+/(\\d+)ms")
            .matcher(nodes.get(NAMES.indexOf(at)).status());
    return lags.results().mapToLong(found -> Long.parseLong(found.group(1))).max().orElse(0);
  }

  /** Waits until both have all mails and hear each other; returns whether they do in time. */
  boolean awaitCaughtUp(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!areCaughtUp()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return true;
  }

  private boolean areCaughtUp() {
    return lags().stream().allMatch(lag -> lag.mails() == 0 && lag.ageMillis() < AGE_MILLIS_MAX);
  }

  @Override
  public void close() {
    clients.forEach(RemoteGeo::close);
    nodes.forEach(GeoNode::close);
    link.close();
  }
}
