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
package org.orcagrid.bench.rival.infinispan;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.util.Version;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.orcagrid.bench.compare.process.Accesses;
import org.orcagrid.bench.compare.process.ClientLoad;
import org.orcagrid.bench.compare.process.LoadSettings;

/** A node of Infinispan. Its variants are caches. */
abstract class InfinispanNode extends ClientLoad {
  /** Infinispan's own stack for TCP, but with members that are known instead of a multicast. */
  private static final String CONFIG =
      """
      <infinispan>
        <jgroups>
          <stack name="fixed" extends="tcp">
            <TCPPING initial_hosts="MEMBERS" port_range="0"
                stack.combine="REPLACE" stack.position="MPING"/>
          </stack>
        </jgroups>
        <cache-container name="compare" statistics="false">
          STATE
          <transport stack="fixed" cluster="orca-compare-FIRST"
              initial-cluster-size="COUNT" initial-cluster-timeout="100000"/>
          CACHES
        </cache-container>
      </infinispan>
      """;

  private final DefaultCacheManager manager;
  private final Map<String, AdvancedCache<Long, byte[]>> caches = new HashMap<>();

  /**
   * Starts it; returns when all nodes are there.
   *
   * @param state where the container keeps its state, as XML; empty if it keeps none
   * @param cachesXml what it has, as XML
   * @throws IOException if it cannot be started
   */
  InfinispanNode(LoadSettings settings, String state, String cachesXml) throws IOException {
    super(settings);
    System.setProperty("jgroups.bind.address", LoadSettings.HOST);
    System.setProperty("jgroups.tcp.address", LoadSettings.HOST);
    String port = Integer.toString(settings.ports().get(settings.self()));
    System.setProperty("jgroups.bind.port", port);
    System.setProperty("jgroups.tcp.port", port);
    String members =
        settings.ports().stream()
            .map(each -> LoadSettings.HOST + "[" + each + "]")
            .collect(Collectors.joining(","));
    String config =
        CONFIG
            .replace("CACHES", cachesXml)
            .replace("MEMBERS", members)
            .replace("FIRST", Integer.toString(settings.ports().get(0)))
            .replace("COUNT", Integer.toString(settings.ports().size()))
            // Last: it has a path, in which nothing is to be replaced.
            .replace("STATE", state);
    this.manager = new DefaultCacheManager(new ParserRegistry().parse(config), true);
    for (String variant : variants()) {
      // What a key had before is not asked for, and not sent.
      AdvancedCache<Long, byte[]> cache =
          manager.<Long, byte[]>getCache(variant).getAdvancedCache();
      caches.put(variant, cache.withFlags(Flag.IGNORE_RETURN_VALUES));
    }
  }

  @Override
  public final String product() {
    return "Infinispan " + Version.getVersion();
  }

  @Override
  protected final Accesses open(String variant) {
    AdvancedCache<Long, byte[]> cache = caches.get(variant);
    return new Accesses(cache::getAsync, cache::putAsync, cache::get, cache::put);
  }

  @Override
  public final void close() {
    manager.stop();
  }
}
