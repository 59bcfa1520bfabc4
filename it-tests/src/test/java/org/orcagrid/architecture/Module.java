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
package org.orcagrid.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;

/** A module and the packages that are its own. */
record Module(String name, List<String> packages) {
  static final Module ORCA_SERVER =
      new Module(
          "orca-server",
          List.of("org.orcagrid.cad", "org.orcagrid.server", "org.apache.zookeeper"));

  static final Module CLIENT = new Module("client", List.of("org.orcagrid.client"));
  static final Module BENCH = new Module("bench", List.of("org.orcagrid.bench"));

  /**
   * The modules in the order of the house: one imports only those above it. Some are still to come;
   * the rules hold for them from their first class on.
   */
  static final List<Module> HOUSE =
      List.of(
          new Module("ddp-core", List.of("org.orcagrid.ddp")),
          new Module("simulator", List.of("org.orcagrid.simulator")),
          new Module("medium-chronicle", List.of("org.orcagrid.medium.chronicle")),
          new Module("medium-llpl", List.of("org.orcagrid.medium.llpl")),
          new Module("transport-tcp", List.of("org.orcagrid.transport.tcp")),
          new Module("transport-rdma", List.of("org.orcagrid.transport.rdma")),
          new Module("node", List.of("org.orcagrid.node")),
          new Module("membership-zookeeper", List.of("org.orcagrid.membership.zookeeper")),
          ORCA_SERVER,
          CLIENT,
          new Module("jcache", List.of("org.orcagrid.jcache")),
          new Module("micrometer", List.of("org.orcagrid.micrometer")),
          new Module("geo", List.of("org.orcagrid.geo")),
          new Module("geo-ratis", List.of("org.orcagrid.ratis")),
          new Module("mixed", List.of("org.orcagrid.mixed")),
          new Module("cli", List.of("org.orcagrid.cli")),
          new Module("examples", List.of("org.orcagrid.examples")),
          BENCH,
          new Module("jmh", List.of("org.orcagrid.jmh")));

  private boolean contains(JavaClass type) {
    String name = type.getPackageName();
    return packages.stream().anyMatch(each -> name.equals(each) || name.startsWith(each + "."));
  }

  /** Whether a class of this module may import one of {@code other}. */
  boolean mayImport(Module other) {
    boolean serverAndClient = equals(CLIENT) && other.equals(ORCA_SERVER);
    return HOUSE.indexOf(other) <= HOUSE.indexOf(this) && !serverAndClient;
  }

  /** The module that a class belongs to, or null for what is not ours. */
  static Module of(JavaClass type) {
    return HOUSE.stream().filter(each -> each.contains(type)).findFirst().orElse(null);
  }
}
