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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which package of the geo store may import which. */
class GeoPackagesTest {
  private static final String GEO = "org.orcagrid.geo";

  /** Of each package of state machines, those of ours that it may import beside its own. */
  private static final Map<String, List<String>> MAY_IMPORT =
      Map.of(
          GEO,
          List.of(".wire"),
          ".wire",
          List.of(),
          ".clock",
          List.of(GEO),
          ".replica",
          List.of(GEO, ".wire", ".clock"),
          ".message",
          List.of(GEO, ".wire", ".replica"),
          ".forward",
          List.of(GEO, ".message", ".replica"),
          ".session",
          List.of(GEO, ".wire"),
          ".partition",
          List.of(GEO, ".wire", ".clock", ".replica", ".message", ".forward"));

  private static final List<String> OF_THE_KERNEL =
      List.of("org.orcagrid.ddp", "org.orcagrid.ddp.store", "org.orcagrid.ddp.transport");

  private static JavaClasses classes;

  @BeforeAll
  static void readClasses() throws IOException {
    classes = ProjectClasses.read();
  }

  private static String whole(String name) {
    return name.startsWith(".") ? GEO + name : name;
  }

  @Test
  void theStateMachinesImportOnlyWhatTheyMay() {
    TreeSet<String> violations = new TreeSet<>();
    int seen = 0;
    for (Map.Entry<String, List<String>> each : MAY_IMPORT.entrySet()) {
      String part = whole(each.getKey());
      List<String> may = each.getValue().stream().map(GeoPackagesTest::whole).toList();
      for (JavaClass type : classes) {
        if (type.getPackageName().equals(part)) {
          seen++;
          for (Dependency to : type.getDirectDependenciesFromSelf()) {
            String target = to.getTargetClass().getPackageName();
            boolean isOurs = target.startsWith("org.orcagrid");
            boolean mayImport =
                target.equals(part) || may.contains(target) || OF_THE_KERNEL.contains(target);
            if (isOurs && !mayImport) {
              violations.add(to.getDescription());
            }
          }
        }
      }
    }
    assertTrue(seen > 30, "classes were read: " + seen);
    assertEquals(List.of(), List.copyOf(violations));
  }
}
