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
package org.orcagrid.bench.rival.ignite;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.internal.IgniteVersionUtils;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;
import org.orcagrid.bench.compare.process.Accesses;
import org.orcagrid.bench.compare.process.ClientLoad;
import org.orcagrid.bench.compare.process.LoadSettings;

/** A node of Apache Ignite. Its variants are atomic caches that all nodes have. */
public final class IgniteLoad extends ClientLoad {
  private static final long START_NANOS_MAX = TimeUnit.SECONDS.toNanos(100);

  private final Ignite node;
  private final Map<String, IgniteCache<Long, byte[]>> caches = new HashMap<>();

  /** Starts it; returns when all nodes are there. */
  public IgniteLoad(LoadSettings settings) {
    super(settings);
    this.node = Ignition.start(config(settings));
    long deadline = System.nanoTime() + START_NANOS_MAX;
    while (node.cluster().nodes().size() < settings.ports().size()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("There are only " + node.cluster().nodes());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    for (String variant : variants()) {
      caches.put(
          variant,
          node.getOrCreateCache(
              new CacheConfiguration<Long, byte[]>(variant)
                  .setCacheMode(CacheMode.REPLICATED)
                  .setAtomicityMode(CacheAtomicityMode.ATOMIC)
                  .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC)));
    }
  }

  private static IgniteConfiguration config(LoadSettings settings) {
    List<String> all =
        settings.ports().stream()
            .map(port -> LoadSettings.HOST + ":" + port)
            .collect(Collectors.toList());
    TcpDiscoverySpi discovery =
        new TcpDiscoverySpi()
            .setLocalPort(settings.ports().get(settings.self()))
            .setLocalPortRange(0)
            .setIpFinder(new TcpDiscoveryVmIpFinder().setAddresses(all));
    discovery.setLocalAddress(LoadSettings.HOST);
    TcpCommunicationSpi links = new TcpCommunicationSpi();
    links.setLocalAddress(LoadSettings.HOST);
    return new IgniteConfiguration()
        .setIgniteInstanceName("compare-" + settings.self())
        .setConsistentId("node-" + settings.self())
        .setWorkDirectory(settings.ownFolder().toAbsolutePath().toString())
        .setLocalHost(LoadSettings.HOST)
        .setConnectorConfiguration(null)
        .setClientConnectorConfiguration(null)
        .setMetricsLogFrequency(0)
        .setDiscoverySpi(discovery)
        .setCommunicationSpi(links);
  }

  @Override
  public String product() {
    return "Apache Ignite " + IgniteVersionUtils.VER.major() + "." + IgniteVersionUtils.VER.minor();
  }

  @Override
  protected Accesses open(String variant) {
    IgniteCache<Long, byte[]> cache = caches.get(variant);
    return new Accesses(
        key -> stage(cache.getAsync(key)),
        (key, value) -> stage(cache.putAsync(key, value)),
        cache::get,
        cache::put);
  }

  /** Counted where Ignite ends the operation, as with the others. */
  private static <T> CompletableFuture<T> stage(IgniteFuture<T> future) {
    CompletableFuture<T> stage = new CompletableFuture<>();
    future.listenAsync(
        ended -> {
          try {
            stage.complete(ended.get());
          } catch (IgniteException e) {
            stage.completeExceptionally(e);
          }
        },
        Runnable::run);
    return stage;
  }

  @Override
  public void close() {
    node.close();
  }
}
