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

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.jar.JarFile;
import org.orcagrid.bench.Experiment;
import org.orcagrid.cli.Orca;
import org.orcagrid.client.Grid;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.examples.demo.DemoServer;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.jcache.OrcaCachingProvider;
import org.orcagrid.jmh.SameData;
import org.orcagrid.medium.chronicle.ChronicleMedium;
import org.orcagrid.medium.llpl.LlplMedium;
import org.orcagrid.micrometer.GridMetrics;
import org.orcagrid.mixed.plan.Plan;
import org.orcagrid.ratis.RatisKind;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.simulator.Simulation;
import org.orcagrid.transport.rdma.NativeLibrary;

/** The classes of all modules, without their tests. A new module adds one class of its own here. */
final class ProjectClasses {
  private static final Set<Class<?>> ONE_OF_EACH_MODULE =
      Set.of(
          Timestamp.class,
          Simulation.class,
          ChronicleMedium.class,
          LlplMedium.class,
          NativeLibrary.class,
          OrcaServer.class,
          Grid.class,
          OrcaCachingProvider.class,
          GridMetrics.class,
          GeoRule.class,
          RatisKind.class,
          Plan.class,
          DemoServer.class,
          Orca.class,
          Experiment.class,
          SameData.class);

  private ProjectClasses() {}

  static JavaClasses read() throws IOException {
    Set<Location> locations = new LinkedHashSet<>();
    for (Class<?> each : ONE_OF_EACH_MODULE) {
      locations.add(location(each));
    }
    return new ClassFileImporter().importLocations(locations);
  }

  private static Location location(Class<?> oneOfTheModule) throws IOException {
    try {
      Path path =
          Path.of(oneOfTheModule.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(path)) {
        return Location.of(path);
      }
      try (JarFile jar = new JarFile(path.toFile())) {
        return Location.of(jar);
      }
    } catch (URISyntaxException e) {
      throw new IOException("The classes of " + oneOfTheModule + " cannot be found", e);
    }
  }
}
