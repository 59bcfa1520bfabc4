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
package org.orcagrid.bench.compare.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.geo.log.RaftKind;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.GeoNode;
import org.orcagrid.geo.node.GeoPlan;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.PortSecurity;

/** A node of the geo store, with its defaults. */
public final class GeoSiteNode extends SiteNode {
  private static final int PARTITIONS = 32;

  private final GeoNode node;
  private volatile Throwable failure;

  /**
   * Starts it.
   *
   * @throws IOException if it cannot be started
   */
  public GeoSiteNode(LoadSettings settings) throws IOException {
    GeoPlan plan =
        new GeoPlan(
            "geo",
            datacenters(new SiteLayout(settings.ports())),
            PARTITIONS,
            SiteLayout.NODES,
            settings.self());
    GeoConfig config =
        new GeoConfig(
            plan,
            settings.ownFolder(),
            1,
            SegmentLimits.DEFAULT.bytesMax(),
            RaftKind.NAME,
            PortSecurity.NONE,
            null,
            new GeoConfig.Trial(SiteLayout.WAN_MILLIS, 0, -1));
    node = GeoNode.start(config, LinkListener.NONE, reason -> failure = reason);
  }

  static List<GeoPlan.Datacenter> datacenters(SiteLayout layout) {
    List<GeoPlan.Datacenter> datacenters = new ArrayList<>();
    for (int site = 0; site < SiteLayout.SITES.size(); site++) {
      datacenters.add(
          new GeoPlan.Datacenter(
              SiteLayout.SITES.get(site),
              layout.forPurpose(0, site).stream()
                  .map(port -> new HostPort(LoadSettings.HOST, port))
                  .toList()));
    }
    return datacenters;
  }

  @Override
  public String product() {
    return "Orca Grid geo, this build";
  }

  @Override
  public String failure() {
    return failure == null ? null : "The node has failed: " + failure;
  }

  @Override
  public void close() {
    node.close();
  }
}
