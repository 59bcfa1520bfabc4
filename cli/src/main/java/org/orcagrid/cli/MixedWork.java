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
package org.orcagrid.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.orcagrid.mixed.run.MixedWorker;
import org.orcagrid.mixed.store.postgres.PostgresReplicator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca mixed worker}: in this process, until a signal ends it. */
@Command(
    name = "worker",
    description = {
      "Finish transactions that clients have left, and hand causal instances' writes to each"
          + " other.",
      "With retention.ms it also has stores forget old ids; it needs all stores and groups then."
          + " Several may run."
    })
final class MixedWork implements Callable<Integer> {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofMillis(20);

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "MIXED.CFG", description = "The stores; docs/mixed.md says how.")
  private Path file;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    MixedConfig config = MixedConfig.read(file);
    try (MixedStores stores = MixedStores.open(config);
        MixedWorker worker = new MixedWorker(stores.all(), config.age(), config.retention())) {
      List<PostgresReplicator> replicators = stores.replicators();
      replicators.forEach(each -> each.start(LOOK));
      worker.start(EVERY);
      spec.commandLine()
          .getOut()
          .println("Works for " + stores.all().size() + " stores; end with Ctrl-C.");
      spec.commandLine().getOut().flush();
      new CountDownLatch(1).await();
      replicators.forEach(PostgresReplicator::close);
    }
    return 0;
  }
}
