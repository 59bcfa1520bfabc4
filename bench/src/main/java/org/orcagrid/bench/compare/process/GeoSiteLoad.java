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

import java.time.Duration;
import java.util.List;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.geo.client.GeoView;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.client.Seen;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;

/**
 * Clients of the geo store, each thread with sessions of its own. Variants: {@code eventual}, and
 * {@code session} with all session guarantees.
 */
public final class GeoSiteLoad extends SiteLoad {
  private static final String SESSION = "session";
  private static final String VIEW = "c";

  /** The view's name and what is behind it count as bytes of the key. */
  private static final int ADDED_BYTES = 2;

  private final List<RemoteGeo> sites;

  /** Connects to both sites. */
  public GeoSiteLoad(LoadSettings settings) {
    super(settings);
    SiteLayout layout = new SiteLayout(settings.ports());
    sites =
        SiteLayout.SITES.stream()
            .map(
                home ->
                    RemoteGeo.connect(
                        new GeoSettings(
                            "geo",
                            GeoSiteNode.datacenters(layout),
                            home,
                            null,
                            Duration.ofSeconds(20),
                            null,
                            null,
                            GeoSettings.Trial.NONE)))
            .toList();
  }

  @Override
  protected Accesses at(int site, String variant) {
    boolean isSession = variant.equals(SESSION);
    ReadGuarantee reads =
        isSession ? ReadGuarantee.MONOTONIC_READ_YOUR_WRITE : ReadGuarantee.EVENTUAL;
    WriteGuarantee writes =
        isSession ? WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS : WriteGuarantee.EVENTUAL;
    // As other products' caches, variants have data of their own.
    long first = isSession ? 1_000_000_000L : 0;
    GeoView<byte[], byte[]> view =
        sites.get(site).openSession().view(VIEW, Codec.BYTES, Codec.BYTES);
    return new Accesses(
        key -> view.getAsync(key(first + key, ADDED_BYTES), reads).thenApply(Seen::value),
        (key, value) -> view.putAsync(key(first + key, ADDED_BYTES), value, writes),
        key -> view.get(key(first + key, ADDED_BYTES), reads).value(),
        (key, value) -> view.put(key(first + key, ADDED_BYTES), value, writes));
  }

  @Override
  public String product() {
    return "Orca Grid geo, this build";
  }

  @Override
  public void close() {
    sites.forEach(RemoteGeo::close);
  }
}
