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
package org.orcagrid.bench.rival.sites;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;
import org.infinispan.commons.util.Version;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.server.core.ServerStateManager;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.hotrod.configuration.HotRodServerConfigurationBuilder;
import org.orcagrid.bench.compare.process.LoadSettings;
import org.orcagrid.bench.compare.process.SiteLayout;
import org.orcagrid.bench.compare.process.SiteNode;

/**
 * A node of Infinispan with a Hot Rod server. Its caches are replicated before a write returns, and
 * backed up to the other site some time: {@code forced} has a store whose writes are forced, {@code
 * written} the same store with its default, and {@code memory} none.
 *
 * <p>Packets to the other site pass a relay, which the bench has started.
 */
public final class InfinispanSiteNode extends SiteNode {
  // Purposes of ports, behind the one for clients.
  private static final int CLUSTER = 1;
  private static final int BRIDGE = 2;
  private static final int RELAY = 3;

  /**
   * Infinispan's own stack for TCP, but with members that are known instead of a multicast. A relay
   * has no second port, so that on the bridge heartbeats alone tell who is lost.
   */
  private static final String CONFIG =
      """
      <infinispan>
        <jgroups>
          <stack name="bridge" extends="tcp">
            <TCP bind_port="OWN_BRIDGE" port_range="0" external_addr="127.0.0.1"
                external_port="OWN_RELAY" stack.combine="COMBINE"/>
            <TCPPING initial_hosts="BRIDGES" port_range="0"
                stack.combine="REPLACE" stack.position="MPING"/>
            <FD_SOCK2 stack.combine="REMOVE"/>
          </stack>
          <stack name="site" extends="tcp">
            <TCP bind_port="OWN_PORT" port_range="0" stack.combine="COMBINE"/>
            <TCPPING initial_hosts="MEMBERS" port_range="0"
                stack.combine="REPLACE" stack.position="MPING"/>
            <relay.RELAY2 xmlns="urn:org:jgroups" site="HERE" can_become_site_master="true"/>
            <remote-sites default-stack="bridge" cluster="orca-compare-bridge">
              <remote-site name="west"/>
              <remote-site name="east"/>
            </remote-sites>
          </stack>
        </jgroups>
        <cache-container name="compare" statistics="false">
          <global-state>
            <persistent-location path="FOLDER"/>
            <temporary-location path="FOLDER"/>
          </global-state>
          <transport stack="site" cluster="orca-compare-HERE"/>
          <replicated-cache name="forced" mode="SYNC" statistics="false">
            <encoding media-type="application/octet-stream"/>
            <backups><backup site="THERE" strategy="ASYNC"/></backups>
            <persistence>
              <file-store purge="true">
                <data path="forced-data" sync-writes="true"/>
                <index path="forced-index"/>
              </file-store>
            </persistence>
          </replicated-cache>
          <replicated-cache name="written" mode="SYNC" statistics="false">
            <encoding media-type="application/octet-stream"/>
            <backups><backup site="THERE" strategy="ASYNC"/></backups>
            <persistence>
              <file-store purge="true">
                <data path="written-data"/>
                <index path="written-index"/>
              </file-store>
            </persistence>
          </replicated-cache>
          <replicated-cache name="memory" mode="SYNC" statistics="false">
            <encoding media-type="application/octet-stream"/>
            <backups><backup site="THERE" strategy="ASYNC"/></backups>
          </replicated-cache>
        </cache-container>
      </infinispan>
      """;

  private final DefaultCacheManager manager;
  private final HotRodServer server = new HotRodServer();

  /**
   * Starts it.
   *
   * @throws IOException if it cannot be started
   */
  public InfinispanSiteNode(LoadSettings settings) throws IOException {
    System.setProperty("jgroups.bind.address", LoadSettings.HOST);
    SiteLayout layout = new SiteLayout(settings.ports());
    int self = settings.self();
    int site = SiteLayout.site(self);
    // The first node of a site is the one that speaks for it.
    List<Integer> relays =
        List.of(layout.forPurpose(RELAY, 0).get(0), layout.forPurpose(RELAY, 1).get(0));
    String config =
        CONFIG
            .replace("OWN_BRIDGE", Integer.toString(layout.forPurpose(BRIDGE).get(self)))
            .replace("OWN_RELAY", Integer.toString(layout.forPurpose(RELAY).get(self)))
            .replace("OWN_PORT", Integer.toString(layout.forPurpose(CLUSTER).get(self)))
            .replace("BRIDGES", hosts(relays))
            .replace("MEMBERS", hosts(layout.forPurpose(CLUSTER, site)))
            .replace("THERE", SiteLayout.SITES.get(1 - site))
            .replace("HERE", SiteLayout.SITES.get(site))
            // Last: it is a path, in which nothing is to be replaced.
            .replace("FOLDER", Files.createDirectories(settings.ownFolder()).toString());
    manager = new DefaultCacheManager(new ParserRegistry().parse(config), true);
    settings.use().variants().forEach(manager::getCache);
    GlobalComponentRegistry.of(manager)
        .getComponent(BasicComponentRegistry.class)
        .registerComponent(ServerStateManager.class.getName(), state(), false);
    server.start(
        new HotRodServerConfigurationBuilder()
            .host(LoadSettings.HOST)
            .port(layout.forPurpose(0).get(self))
            .build(),
        manager);
    server.postStart();
  }

  private static String hosts(List<Integer> ports) {
    return ports.stream()
        .map(each -> LoadSettings.HOST + "[" + each + "]")
        .collect(Collectors.joining(","));
  }

  /** A server that is embedded has nobody who could switch caches off. */
  private static ServerStateManager state() {
    return (ServerStateManager)
        Proxy.newProxyInstance(
            ServerStateManager.class.getClassLoader(),
            new Class<?>[] {ServerStateManager.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "isCacheIgnored" -> false;
                  case "getIgnoredCaches" -> java.util.Set.of();
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  case "toString" -> "state";
                  default -> null;
                });
  }

  @Override
  public String product() {
    return "Infinispan " + Version.getVersion();
  }

  @Override
  public String failure() {
    return null;
  }

  @Override
  public void close() {
    server.stop();
    manager.stop();
  }
}
