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

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.ddp.transport.Clock;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.ddp.transport.Transport;

/** Which code may import which. */
class ArchitectureTest {
  private static final String DECISIONS = PurePackages.DECISIONS;

  private static JavaClasses classes;

  @BeforeAll
  static void readClasses() throws IOException {
    classes = ProjectClasses.read();
  }

  @Test
  void everyClassBelongsToAModule() {
    for (JavaClass each : classes) {
      assertNotNull(Module.of(each), each.getName() + ": add its package to the list of modules");
    }
    assertEquals(
        Module.ORCA_SERVER, Module.of(classes.get("org.orcagrid.cad.QuorumIndex")), "are read");
    assertEquals(Module.BENCH, Module.of(classes.get("org.orcagrid.bench.Experiment")), "are read");
  }

  @Test
  void aModuleImportsOnlyThoseAboveIt() {
    TreeSet<String> violations = new TreeSet<>();
    for (JavaClass each : classes) {
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        Module from = Module.of(each);
        // ZooKeeper's own classes share a package with ours; only classes that we have count.
        Module to =
            isOurs(dependency.getTargetClass()) ? Module.of(dependency.getTargetClass()) : null;
        if (to != null && !from.mayImport(to)) {
          violations.add(dependency.getDescription());
        }
      }
    }
    assertEquals(List.of(), List.copyOf(violations));
  }

  private static boolean isOurs(JavaClass type) {
    return type.getPackageName().startsWith("org.orcagrid") || classes.contain(type.getName());
  }

  @Test
  void theDecisionsImportNothingButCollectionsAndEachOther() {
    classes()
        .that()
        .resideInAPackage(DECISIONS)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            DECISIONS,
            "org.orcagrid.ddp",
            "java.lang",
            "java.lang.invoke",
            "java.lang.runtime",
            "java.util",
            "java.util.function",
            "java.util.concurrent")
        .check(classes);
  }

  /** It is how memory is reached by its address, and nothing else is done so. */
  @Test
  void oneClassOfTheStoreReflects() {
    noClasses()
        .that()
        .resideInAPackage("org.orcagrid.ddp.store")
        .and()
        .doNotHaveSimpleName("RawAccess")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.lang.reflect")
        .check(classes);
  }

  @Test
  void thePartsOfTheKernelImportOnlyWhatTheyMay() {
    mayImport("org.orcagrid.ddp.wire", "java.nio", "org.orcagrid.ddp");
    mayImport(
        "org.orcagrid.ddp.transfer",
        "java.util.concurrent.atomic",
        "java.util.function",
        "org.orcagrid.ddp");
    mayImport(
        "org.orcagrid.ddp.store",
        "java.lang.reflect",
        "java.nio",
        "java.util.concurrent.atomic",
        "java.util.function",
        "org.orcagrid.ddp");
    mayImport(
        "org.orcagrid.ddp.paxos",
        "java.nio",
        "java.util.concurrent.atomic",
        "org.orcagrid.ddp",
        "org.orcagrid.ddp.store");
    mayImport(
        "org.orcagrid.ddp.kite",
        "java.nio",
        "java.util",
        "java.util.concurrent",
        "java.util.concurrent.atomic",
        "org.orcagrid.ddp",
        "java.util.function",
        "org.orcagrid.ddp.store",
        "org.orcagrid.ddp.transfer",
        "org.orcagrid.ddp.wire",
        "org.orcagrid.ddp.paxos",
        "org.orcagrid.ddp.membership");
    mayImport("org.orcagrid.ddp.membership", "java.util.function", "org.orcagrid.ddp");
    mayImport("org.orcagrid.ddp.raft", "java.util", "org.orcagrid.ddp");
    mayImport(
        "org.orcagrid.simulator.membership",
        "java.util.function",
        "java.util.stream",
        "org.orcagrid.ddp",
        "org.orcagrid.ddp.membership",
        "org.orcagrid.simulator");
    String zab = "org.orcagrid.bench.zab";
    mayImport(
        zab,
        "java.nio",
        "org.orcagrid.ddp",
        "org.orcagrid.ddp.kite",
        "org.orcagrid.ddp.node",
        "org.orcagrid.ddp.store",
        "org.orcagrid.ddp.wire");
    // Of ZAB, the yardstick, only what puts it under a node's workers knows those.
    noClasses()
        .that()
        .resideInAPackage(zab)
        .and()
        .haveNameNotMatching(".*\\.ZabProtocol(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.orcagrid.ddp.kite", "org.orcagrid.ddp.node")
        .check(classes);
  }

  /** State below; then wire and log; then consistency, transfer and removal; dispatch on top. */
  @Test
  void thePartsOfAReplicaImportOnlyDownwards() {
    String replica = "org.orcagrid.ddp.replica";
    String state = replica + ".state";
    String wire = replica + ".wire";
    String log = replica + ".log";
    mayImport(
        state,
        "java.nio",
        "java.nio.charset",
        "java.util.function",
        "org.orcagrid.ddp",
        "org.orcagrid.ddp.membership",
        "org.orcagrid.ddp.model",
        "org.orcagrid.ddp.store",
        "org.orcagrid.ddp.transport");
    mayImport(
        wire,
        "java.nio",
        "java.util.function",
        "org.orcagrid.ddp",
        "org.orcagrid.ddp.transport",
        state);
    mayImport(
        log,
        "java.nio",
        "java.util.function",
        "org.orcagrid.ddp",
        "org.orcagrid.ddp.model",
        "org.orcagrid.ddp.transport",
        state);
    for (String part : List.of(".consistency", ".transfer", ".removal")) {
      mayImport(
          replica + part,
          "java.util.function",
          "java.util.stream",
          "org.orcagrid.ddp",
          "org.orcagrid.ddp.model",
          "org.orcagrid.ddp.transfer",
          state,
          wire,
          log);
    }
    mayImport(
        replica,
        "java.util.function",
        "java.util.stream",
        "org.orcagrid.ddp.model",
        "org.orcagrid.ddp.store",
        "org.orcagrid.ddp.transfer",
        state,
        wire,
        log,
        replica + ".consistency",
        replica + ".transfer",
        replica + ".removal");
    // Of the transport they know what a packet is that makes no sense, and nothing that sends.
    noClasses()
        .that()
        .resideInAPackage(replica + "..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Transport.class, Endpoint.class, PacketHandler.class, Clock.class)
        .check(classes);
  }

  @Test
  void theModelsAndTheirProtocolsImportOnlyWhatTheyMay() {
    mayImport("org.orcagrid.ddp.zone", "java.io", "java.nio", "java.util.stream", "java.util.zip");
    mayImport("org.orcagrid.ddp.model", "java.util.function", "java.util.stream");
    mayImport(
        "org.orcagrid.simulator.ddp",
        "java.nio",
        "java.nio.charset",
        "java.util.function",
        "java.util.stream",
        "org.orcagrid.ddp",
        "org.orcagrid.ddp.zone",
        "org.orcagrid.ddp.membership",
        "org.orcagrid.ddp.model",
        "org.orcagrid.ddp.replica",
        "org.orcagrid.ddp.replica.consistency",
        "org.orcagrid.ddp.replica.log",
        "org.orcagrid.ddp.replica.state",
        "org.orcagrid.ddp.replica.wire",
        "org.orcagrid.ddp.transfer",
        "org.orcagrid.ddp.transport",
        "org.orcagrid.simulator",
        "org.orcagrid.simulator.checker");
    mayImport(
        "org.orcagrid.simulator.timing",
        "java.util.function",
        "java.util.stream",
        "org.orcagrid.ddp",
        "org.orcagrid.ddp.model",
        "org.orcagrid.ddp.replica",
        "org.orcagrid.ddp.replica.consistency",
        "org.orcagrid.ddp.replica.log",
        "org.orcagrid.ddp.replica.state",
        "org.orcagrid.ddp.replica.wire",
        "org.orcagrid.simulator");
  }

  @Test
  void theDurableMediaImportOnlyWhatTheyMay() {
    String medium = "org.orcagrid.ddp.durable";
    String segment = medium + ".segment";
    // A kind of medium names folders and threads; it has none.
    mayImport(medium, "java.nio", "java.nio.file", "java.io", "java.util.concurrent");
    mayImport(
        segment,
        "java.nio",
        "java.nio.channels",
        "java.nio.file",
        "java.nio.file.attribute",
        "java.io",
        "java.util.function",
        "java.util.regex",
        "java.util.stream",
        "java.util.zip",
        medium);
    mayImport(
        medium + ".log",
        "java.nio",
        "java.nio.channels",
        "java.nio.file",
        "java.io",
        "java.util.concurrent",
        medium,
        segment);
    mayImport(
        medium + ".nvm",
        "java.nio",
        "java.nio.channels",
        "java.nio.file",
        "java.nio.file.attribute",
        "java.io",
        "jdk.nio.mapmode",
        medium,
        segment);
  }

  @Test
  void theOptionalMediaImportOnlyWhatTheyMay() {
    String medium = "org.orcagrid.ddp.durable";
    mayImport(
        "org.orcagrid.medium.chronicle",
        "java.nio",
        "java.nio.channels",
        "java.nio.charset",
        "java.nio.file",
        "java.nio.file.attribute",
        "java.io",
        "java.util.concurrent",
        "java.util.function",
        "java.util.regex",
        "java.util.stream",
        "java.util.zip",
        "net.openhft.chronicle.map",
        "net.openhft.chronicle.hash",
        medium,
        medium + ".log",
        medium + ".segment",
        // A replica's records; not the replica, nor what its keys are used for.
        "org.orcagrid.ddp.replica.log",
        "org.orcagrid.ddp.replica.state");
    mayImport(
        "org.orcagrid.medium.llpl",
        "com.intel.pmem.llpl",
        "java.nio",
        "java.nio.channels",
        "java.nio.charset",
        "java.nio.file",
        "java.nio.file.attribute",
        "java.io",
        "java.util.function",
        "jdk.nio.mapmode",
        medium,
        medium + ".segment");
  }

  @Test
  void theMapsOfANodeImportOnlyWhatTheyMay() {
    mayImport(
        "org.orcagrid.ddp.map",
        "java.io",
        "java.nio",
        "java.nio.channels",
        "java.nio.charset",
        "java.nio.file",
        "java.nio.file.attribute",
        "java.security",
        // To write moments down that it was told of.
        "java.time",
        "java.util.concurrent",
        "java.util.concurrent.atomic",
        "java.util.concurrent.locks",
        "java.util.function",
        "java.util.regex",
        "java.util.stream",
        "org.orcagrid.ddp",
        "org.orcagrid.ddp.membership",
        "org.orcagrid.ddp.durable",
        "org.orcagrid.ddp.durable.log",
        "org.orcagrid.ddp.durable.segment",
        "org.orcagrid.ddp.zone",
        "org.orcagrid.ddp.model",
        "org.orcagrid.ddp.replica",
        "org.orcagrid.ddp.replica.consistency",
        "org.orcagrid.ddp.replica.log",
        "org.orcagrid.ddp.replica.state",
        "org.orcagrid.ddp.replica.wire",
        // The memory of all stores of a node, not the stores.
        "org.orcagrid.ddp.store",
        "org.orcagrid.ddp.transfer",
        "org.orcagrid.ddp.transport",
        "org.orcagrid.ddp.vital",
        // Not its messages: the number that none of them begins with.
        "org.orcagrid.ddp.wire",
        "org.orcagrid.ddp.worker");
    mayImport("org.orcagrid.ddp.vital", "java.util.function", "java.util.concurrent.locks");
  }

  @Test
  void cachesKnowTheGridByItsClientAlone() {
    mayImport(
        "org.orcagrid.jcache",
        "java.io",
        "java.lang.management",
        "java.net",
        "java.math",
        "java.nio",
        "java.nio.charset",
        "java.nio.file",
        "java.security",
        "java.time",
        "java.util.concurrent",
        "java.util.concurrent.atomic",
        "java.util.concurrent.locks",
        "java.util.function",
        "java.util.regex",
        "java.util.stream",
        "javax.cache..",
        "javax.management",
        "org.orcagrid.client",
        "org.orcagrid.client.map",
        "org.orcagrid.ddp.durable",
        "org.orcagrid.ddp.model");
    // All that caches do with their maps is in one place.
    noClasses()
        .that()
        .resideInAPackage("org.orcagrid.jcache")
        .and()
        .doNotHaveSimpleName("Entries")
        .and()
        .doNotHaveSimpleName("OrcaCacheManager")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(AtomicGridMap.class)
        .check(classes);
  }

  @Test
  void theRuntimeGetsItsThreadsAndItsClock() {
    mayImport("org.orcagrid.ddp.transport", "java.nio", "java.io", "org.orcagrid.ddp.zone");
    mayImport(
        "org.orcagrid.ddp.loopback",
        "java.nio",
        "java.util.concurrent",
        "java.util.concurrent.locks",
        "java.util.function",
        "org.orcagrid.ddp.zone",
        "org.orcagrid.ddp.transport");
    // It knows no engine: those are told apart by the first byte of their packets.
    mayImport(
        "org.orcagrid.ddp.worker",
        "java.io",
        "java.nio",
        "java.util.concurrent",
        "java.util.concurrent.atomic",
        "java.util.concurrent.locks",
        "java.util.function",
        "org.orcagrid.ddp.transport",
        "org.orcagrid.ddp.vital");
    noClasses()
        .that()
        .resideInAPackage("org.orcagrid.ddp..")
        .should()
        .callConstructor(Thread.class, Runnable.class)
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.time.Clock.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.util.concurrent.ExecutorService.class)
        .check(classes);
  }

  private static void mayImport(String part, String... others) {
    Set<String> allowed = new TreeSet<>(List.of(others));
    allowed.addAll(
        List.of(part, "java.lang", "java.lang.invoke", "java.lang.runtime", "java.util"));
    classes()
        .that()
        .resideInAPackage(part)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed.toArray(String[]::new))
        .check(classes);
  }

  @Test
  void theDecisionsOwnNoThread() {
    noClasses()
        .that()
        .resideInAnyPackage(PurePackages.all())
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.util.concurrent.Executor.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.util.Timer.class)
        .check(classes);
  }

  @Test
  void theDecisionsReadNoClock() {
    noClasses()
        .that()
        .resideInAnyPackage(PurePackages.all())
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.util.Date.class)
        .check(classes);
  }

  @Test
  void theDecisionsAreNotRandom() {
    noClasses()
        .that()
        .resideInAnyPackage(PurePackages.all())
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Random.class, SplittableRandom.class, ThreadLocalRandom.class, UUID.class)
        .orShould()
        .callMethod(Math.class, "random")
        .check(classes);
  }

  @Test
  void theDecisionsKeepNoStateInStaticFields() {
    for (JavaClass each : classes) {
      if (each.getPackageName().startsWith("org.orcagrid.cad")) {
        each.getFields().stream()
            .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
            // The constants of an enum, and the array of them that the compiler makes.
            .filter(field -> !field.getOwner().isEnum())
            .forEach(
                field ->
                    assertEquals(
                        true,
                        field.getModifiers().contains(JavaModifier.FINAL)
                            && field.getRawType().isPrimitive(),
                        field.getFullName() + " is a constant"));
      }
    }
  }

  @Test
  void noServerKeepsStateInStaticFieldsSinceSeveralRunInOneJvm() {
    TreeSet<String> variables = new TreeSet<>();
    for (JavaClass each : classes) {
      if (Module.ORCA_SERVER.equals(Module.of(each))) {
        each.getFields().stream()
            .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
            .filter(field -> !field.getModifiers().contains(JavaModifier.FINAL))
            .forEach(field -> variables.add(field.getFullName()));
      }
    }
    assertEquals(List.of(), List.copyOf(variables));
  }
}
