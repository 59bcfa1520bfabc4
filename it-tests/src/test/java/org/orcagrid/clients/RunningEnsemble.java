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
package org.orcagrid.clients;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;
import org.orcagrid.cli.ServerProgram;

/** Servers with consistency-aware durability, as small processes. */
final class RunningEnsemble {
  static final Duration LIMIT = Duration.ofSeconds(60);

  private RunningEnsemble() {}

  static EnsembleSpec spec(int servers, Path folder) {
    return EnsembleSpec.of(servers, folder)
        .withSettings(Map.of("tickTime", "500"))
        .withProgram(program(List.of()));
  }

  static ServerProgram program(List<String> jvmFlags) {
    return ServerProgram.orca()
        .withJvmFlags(List.of("-Xmx96m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
        .withJvmFlags(jvmFlags);
  }

  static EnsembleProcesses start(EnsembleSpec spec) throws Exception {
    EnsembleProcesses ensemble = EnsembleProcesses.start(spec);
    try {
      ensemble.awaitServing(LIMIT);
      return ensemble;
    } catch (Exception e) {
      ensemble.close();
      throw e;
    }
  }

  static String address(EnsembleProcesses ensemble, int id) {
    return "127.0.0.1:" + ensemble.member(id).clientPort();
  }
}
