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
package org.orcagrid.transport.tcp.member;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.map.MapMembership;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.MembershipProvider;
import org.orcagrid.ddp.membership.LeaseTimes;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LandingSettings;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TlsSettings;
import org.orcagrid.transport.tcp.TransportWish;

/**
 * What a node of maps, and of Kite's keys, is made of. {@code cluster}, {@code size} and {@code
 * workers} must be the same at all nodes; nodes that differ refuse each other.
 *
 * @param cluster the grid's name
 * @param size how many nodes the grid has
 * @param address where this node listens, as the others reach it
 * @param folder where this node's maps are durable; of its own, and the same after a restart
 * @param workers threads that do the node's work
 * @param medium where each map is durable; the same after a restart
 * @param security who may connect
 * @param transport between the nodes
 * @param landing memory that the other nodes may write into, null for none
 * @param lease how long a node may be silent before the others go on without it
 * @param keys what the node has of Kite's keys, and so has sessions and clients for; null for none
 */
public record MapMemberSettings(
    String cluster,
    int size,
    HostPort address,
    Path folder,
    int workers,
    MediumKind medium,
    PortSecurity security,
    TransportWish transport,
    LandingSettings landing,
    LeaseTimes lease,
    KeySettings keys) {
  private static final int PACKET_BYTES_MAX = 64 * 1024;

  /** One worker, logs of up to 1 GB, neither TLS nor a secret, over TCP, a lease of 800 ms. */
  public static MapMemberSettings of(String cluster, int size, HostPort address, Path folder) {
    return new MapMemberSettings(
        cluster,
        size,
        address,
        folder,
        1,
        LogMedium.kind(SegmentLimits.DEFAULT),
        PortSecurity.NONE,
        TransportWish.TCP,
        null,
        LeaseTimes.DEFAULT,
        null);
  }

  /** The same with another medium. */
  public MapMemberSettings withMedium(MediumKind other) {
    return new MapMemberSettings(
        cluster, size, address, folder, workers, other, security, transport, landing, lease, keys);
  }

  /** The same with links that are encrypted, and open to those only who can show a certificate. */
  public MapMemberSettings withTls(TlsSettings settings) {
    return withSecurity(new PortSecurity(settings, security.secretFile(), security.clients()));
  }

  /** The same with another answer to who may connect. */
  public MapMemberSettings withSecurity(PortSecurity other) {
    return new MapMemberSettings(
        cluster, size, address, folder, workers, medium, other, transport, landing, lease, keys);
  }

  /** The same with another transport between the nodes. */
  public MapMemberSettings withTransport(TransportWish other) {
    return new MapMemberSettings(
        cluster, size, address, folder, workers, medium, security, other, landing, lease, keys);
  }

  /** The same with memory that the other nodes may write into. */
  public MapMemberSettings withLanding(LandingSettings other) {
    return new MapMemberSettings(
        cluster, size, address, folder, workers, medium, security, transport, other, lease, keys);
  }

  /** The same with another lease; all nodes have the same. */
  public MapMemberSettings withLease(LeaseTimes other) {
    return new MapMemberSettings(
        cluster, size, address, folder, workers, medium, security, transport, landing, other, keys);
  }

  /** The same with Kite's keys beside the maps; all nodes have the same. */
  public MapMemberSettings withKeys(KeySettings other) {
    return new MapMemberSettings(
        cluster, size, address, folder, workers, medium, security, transport, landing, lease,
        other);
  }

  /**
   * Takes the node's place by an ensemble of ORCA or ZooKeeper servers.
   *
   * @param ensemble host:port of some of its servers, with commas between them
   * @throws IOException if it does not answer, has no place for the folder, or knows less than the
   *     folder does
   */
  public MapMembership membership(String ensemble) throws IOException, InterruptedException {
    return MembershipProvider.find(
        new MembershipProvider.Place(ensemble, cluster, size, address.toString(), folder, lease));
  }

  TcpSettings links(int place) {
    List<HostPort> nodes = new ArrayList<>();
    for (int node = 0; node < size; node++) {
      // The others are told of by views.
      nodes.add(node == place ? address : new HostPort("place-" + node, 1));
    }
    int sessions = keys == null ? 1 : keys.sessions();
    int packetBytesMax =
        keys == null ? PACKET_BYTES_MAX : Math.max(PACKET_BYTES_MAX, keys.packetBytesMax());
    return new TcpSettings(cluster + "/maps", place, nodes, workers, sessions, packetBytesMax);
  }

  MapSizes sizes(int place) {
    MapSizes usual = MapSizes.of(size, place);
    return new MapSizes(
        size, place, workers, usual.backlogMax(), usual.resendNanos(), usual.progressNanos());
  }
}
