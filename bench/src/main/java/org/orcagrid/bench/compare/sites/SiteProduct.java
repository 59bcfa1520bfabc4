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
package org.orcagrid.bench.compare.sites;

import java.util.Locale;
import org.orcagrid.bench.compare.process.GeoSiteLoad;
import org.orcagrid.bench.compare.process.GeoSiteNode;

/** What is compared: each has six processes with nodes, and two with clients. */
public enum SiteProduct {
  /** Orca Grid's geo store. */
  GEO("", GeoSiteNode.class.getName(), GeoSiteLoad.class.getName(), 1),
  /** Infinispan with asynchronous backups across sites. */
  INFINISPAN(
      "infinispan-sites",
      "org.orcagrid.bench.rival.sites.InfinispanSiteNode",
      "org.orcagrid.bench.rival.sites.InfinispanSiteLoad",
      3);

  private final String module;
  private final String node;
  private final String load;
  private final int ports;

  SiteProduct(String module, String node, String load, int ports) {
    this.module = module;
    this.node = node;
    this.load = load;
    this.ports = ports;
  }

  /** Its name in files. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The end of the name of the module that it is in; empty for this one. */
  String module() {
    return module;
  }

  /** The class of its nodes' processes. */
  String node() {
    return node;
  }

  /** The class of its clients' processes. */
  String load() {
    return load;
  }

  /** How many ports a node has. The last is reached by a relay, if there are several. */
  int ports() {
    return ports;
  }
}
