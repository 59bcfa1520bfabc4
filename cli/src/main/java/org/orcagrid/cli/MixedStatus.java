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
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.level.Levels;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca mixed status}. */
@Command(
    name = "status",
    description = {
      "Show stores, and what of transactions is still to be done there.",
      "open: decided, and a part follows elsewhere; prepared: not decided here yet; oldest: how"
          + " long ago the oldest of both began; clock: how much a causal instance has."
    })
final class MixedStatus implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "MIXED.CFG", description = "The stores; docs/mixed.md says how.")
  private Path file;

  @Override
  public Integer call() throws CommandFailure {
    MixedConfig config = MixedConfig.read(file);
    boolean isLate = false;
    TextTable table =
        new TextTable(List.of("store", "group", "level", "open", "prepared", "oldest", "clock"));
    try (MixedStores stores = MixedStores.open(config)) {
      long now = System.currentTimeMillis();
      for (Store each : stores.all()) {
        List<Intent> open = each.intents(Long.MAX_VALUE);
        List<TransactionId> prepared = each.prepared(Long.MAX_VALUE);
        long oldest =
            LongStream.concat(
                    open.stream().mapToLong(intent -> intent.id().millis()),
                    prepared.stream().mapToLong(TransactionId::millis))
                .min()
                .orElse(now);
        isLate |= Duration.ofMillis(now - oldest).compareTo(config.age().multipliedBy(2)) > 0;
        table.add(
            List.of(
                each.traits().name(),
                each.traits().group(),
                Levels.name(each.traits().level()),
                Integer.toString(open.size()),
                Integer.toString(prepared.size()),
                oldest == now ? "" : now - oldest + " ms",
                each.read(Set.of(), Set.of()).clock().counts().toString()));
      }
    } catch (StoreException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
    spec.commandLine().getOut().print(table);
    spec.commandLine().getOut().flush();
    if (isLate) {
      throw new CommandFailure(
          "Something is open for long; start a worker, or see why a group does not answer.");
    }
    return 0;
  }
}
