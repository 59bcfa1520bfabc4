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

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.GeoPlan;
import org.orcagrid.geo.session.TokenKeys;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.TlsSettings;

/**
 * How a client finds a store. Immutable.
 *
 * @param name of the store
 * @param datacenters some nodes of each: the others are asked for
 * @param home the datacenter that requests go to unless they say otherwise; null for the first
 * @param keys what session tokens are signed with; null where there are none
 * @param timeout how long an operation may take
 * @param tls null for none
 * @param secretFile null for none
 * @param trial what is other than usual in trials
 */
public record GeoSettings(
    String name,
    List<GeoPlan.Datacenter> datacenters,
    String home,
    TokenKeys keys,
    Duration timeout,
    TlsSettings tls,
    Path secretFile,
    Trial trial) {

  /**
   * What is other than usual in trials.
   *
   * @param wan how much longer a request to another datacenter than the home takes, there and back
   * @param waitingWrites whether writes wait at the leader for what they must win over, as they
   *     have to where clocks are not hybrid (NuKV, section 6.2)
   */
  public record Trial(Duration wan, boolean waitingWrites) {
    /** Nothing. */
    public static final Trial NONE = new Trial(Duration.ZERO, false);
  }

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration TIMEOUT_MAX = Duration.ofSeconds(30);

  /** Refuses what cannot work. */
  public GeoSettings {
    datacenters = List.copyOf(datacenters);
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(TIMEOUT_MAX) > 0) {
      throw new IllegalArgumentException(
          "An operation takes more than nothing and at most " + TIMEOUT_MAX + ", not " + timeout);
    }
    String wanted = home;
    if (wanted != null && datacenters.stream().noneMatch(each -> each.name().equals(wanted))) {
      throw new IllegalArgumentException(
          "There is no datacenter "
              + wanted
              + " among "
              + datacenters.stream().map(GeoPlan.Datacenter::name).toList());
    }
  }

  /**
   * A store named {@code geo}.
   *
   * @param datacenters such as {@code west=h1:7500,h2:7500;east=h3:7500}
   * @throws IllegalArgumentException if they are written otherwise
   */
  public static GeoSettings of(String datacenters) {
    return new GeoSettings(
        "geo", GeoConfig.datacenters(datacenters), null, null, TIMEOUT, null, null, Trial.NONE);
  }

  /** The same of a store with another name. */
  public GeoSettings name(String other) {
    return new GeoSettings(other, datacenters, home, keys, timeout, tls, secretFile, trial);
  }

  /** The same with requests that go there. */
  public GeoSettings home(String datacenter) {
    return new GeoSettings(name, datacenters, datacenter, keys, timeout, tls, secretFile, trial);
  }

  /** The same with keys for session tokens. */
  public GeoSettings keys(TokenKeys tokenKeys) {
    return new GeoSettings(name, datacenters, home, tokenKeys, timeout, tls, secretFile, trial);
  }

  /** The same with another bound on the time of an operation. */
  public GeoSettings timeout(Duration most) {
    return new GeoSettings(name, datacenters, home, keys, most, tls, secretFile, trial);
  }

  /** The same over TLS, or with a secret; null for none. */
  public GeoSettings security(TlsSettings overTls, Path secret) {
    return new GeoSettings(name, datacenters, home, keys, timeout, overTls, secret, trial);
  }

  /** The same in a trial. */
  public GeoSettings trial(Trial other) {
    return new GeoSettings(name, datacenters, home, keys, timeout, tls, secretFile, other);
  }

  /** All addresses that are given. */
  List<HostPort> addresses() {
    return datacenters.stream().flatMap(each -> each.nodes().stream()).toList();
  }
}
