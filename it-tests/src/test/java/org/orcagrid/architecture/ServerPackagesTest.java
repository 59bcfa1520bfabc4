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

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which package of the server may import which. */
class ServerPackagesTest {
  /** The packages of the server, lowest first: each may import those before it, and no other. */
  private static final List<String> SERVER =
      List.of(
          "org.orcagrid.cad",
          "org.orcagrid.server.settings",
          "org.orcagrid.server.vital",
          "org.orcagrid.server.web",
          "org.orcagrid.server.wire",
          "org.orcagrid.server.sizes",
          "org.orcagrid.server.gate",
          "org.apache.zookeeper.server.persistence",
          "org.orcagrid.server.log",
          "org.orcagrid.server.tree",
          "org.orcagrid.server.role",
          "org.apache.zookeeper.server",
          "org.orcagrid.server.admin",
          "org.orcagrid.server.console",
          "org.apache.zookeeper.server.quorum",
          "org.orcagrid.server.grid",
          "org.orcagrid.server");

  private static JavaClasses classes;

  @BeforeAll
  static void readClasses() throws IOException {
    classes = ProjectClasses.read();
  }

  private static boolean isOurs(JavaClass type) {
    return type.getPackageName().startsWith("org.orcagrid") || classes.contain(type.getName());
  }

  @Test
  void thePackagesOfTheServerImportOnlyThoseBelowThem() {
    TreeSet<String> violations = new TreeSet<>();
    for (JavaClass each : classes) {
      if (Module.ORCA_SERVER.equals(Module.of(each))) {
        int place = SERVER.indexOf(each.getPackageName());
        if (place < 0) {
          violations.add(each.getPackageName() + ": add it to the server's packages");
        }
        each.getDirectDependenciesFromSelf().stream()
            .filter(to -> isOurs(to.getTargetClass()))
            .filter(to -> SERVER.indexOf(to.getTargetClass().getPackageName()) > place)
            .forEach(to -> violations.add(to.getDescription()));
      }
    }
    assertEquals(List.of(), List.copyOf(violations));
  }

  @Test
  void theWireAndTheGateDoNotKnowTheRolesOfAQuorum() {
    noClasses()
        .that()
        .resideInAnyPackage("org.orcagrid.server.wire..", "org.orcagrid.server.gate..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.zookeeper.server.quorum..")
        .check(classes);
  }

  @Test
  void onlyWhatMustReachZooKeepersPackagePrivateMembersIsInItsPackages() {
    TreeSet<String> packages = new TreeSet<>();
    for (JavaClass each : classes) {
      if (each.getPackageName().startsWith("org.apache.zookeeper")) {
        packages.add(each.getPackageName());
      }
    }
    assertEquals(
        List.of(
            "org.apache.zookeeper.server",
            "org.apache.zookeeper.server.persistence",
            "org.apache.zookeeper.server.quorum"),
        List.copyOf(packages));
  }
}
