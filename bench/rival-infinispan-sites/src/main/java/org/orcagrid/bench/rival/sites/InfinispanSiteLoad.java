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

import java.util.ArrayList;
import java.util.List;
import org.infinispan.client.hotrod.DataFormat;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.marshall.IdentityMarshaller;
import org.infinispan.commons.util.Version;
import org.orcagrid.bench.compare.process.Accesses;
import org.orcagrid.bench.compare.process.LoadSettings;
import org.orcagrid.bench.compare.process.SiteLayout;
import org.orcagrid.bench.compare.process.SiteLoad;

/** Hot Rod clients, which know which node a key is of. Variants are caches. */
public final class InfinispanSiteLoad extends SiteLoad {
  private static final int SOCKET_MILLIS_MAX = 60_000;

  private final List<RemoteCacheManager> sites = new ArrayList<>();

  /** Connects to both sites. */
  public InfinispanSiteLoad(LoadSettings settings) {
    super(settings);
    SiteLayout layout = new SiteLayout(settings.ports());
    for (int site = 0; site < SiteLayout.SITES.size(); site++) {
      ConfigurationBuilder builder = new ConfigurationBuilder();
      layout
          .forPurpose(0, site)
          .forEach(port -> builder.addServer().host(LoadSettings.HOST).port(port));
      builder
          .marshaller(IdentityMarshaller.INSTANCE)
          .socketTimeout(SOCKET_MILLIS_MAX)
          .statistics()
          .disable();
      sites.add(new RemoteCacheManager(builder.build()));
    }
  }

  @Override
  protected Accesses at(int site, String variant) {
    RemoteCache<byte[], byte[]> cache =
        sites
            .get(site)
            .<byte[], byte[]>getCache(variant)
            .withDataFormat(
                DataFormat.builder()
                    .keyType(MediaType.APPLICATION_OCTET_STREAM)
                    .keyMarshaller(IdentityMarshaller.INSTANCE)
                    .valueType(MediaType.APPLICATION_OCTET_STREAM)
                    .valueMarshaller(IdentityMarshaller.INSTANCE)
                    .build());
    return new Accesses(
        key -> cache.getAsync(key(key, 0)),
        (key, value) -> cache.putAsync(key(key, 0), value),
        key -> cache.get(key(key, 0)),
        (key, value) -> cache.put(key(key, 0), value));
  }

  @Override
  public String product() {
    return "Infinispan " + Version.getVersion();
  }

  @Override
  public void close() {
    sites.forEach(RemoteCacheManager::close);
  }
}
