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

import java.util.List;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Explanation;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.ddp.model.Table4;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca models [MODEL]}: what the models promise. */
@Command(
    name = "models",
    description =
        "Show the models of visibility and durability and what each promises, or explain one.")
final class ModelsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "MODEL",
      description = "The one to explain, as in causal/synchronous; none for all of them.")
  private String model;

  @Option(names = "--markdown", description = "Print the table for a page in Markdown.")
  private boolean markdown;

  @Override
  public void run() {
    if (model != null) {
      spec.commandLine().getOut().print(chosen().explain());
    } else {
      spec.commandLine().getOut().print(markdown ? table().toMarkdown() : table().toString());
    }
    spec.commandLine().getOut().flush();
  }

  private Ddp chosen() {
    try {
      return Ddp.parse(model);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** Returns all models, one a row. */
  static TextTable table() {
    TextTable table =
        new TextTable(
            List.of(
                "model",
                "visible",
                "durable",
                "survives",
                "monotonic",
                "for all",
                "not stale",
                "paper"));
    for (Ddp each : Ddp.all()) {
      table.add(
          List.of(
              each.id(),
              each.consistency().visibilityPoint(),
              each.persistency().durabilityPoint(),
              new Explanation(each).survives(),
              mark(each, Promise.MONOTONIC_READS),
              mark(each, Promise.MONOTONIC_FOR_ALL),
              mark(each, Promise.NON_STALE_READS),
              paper(each)));
    }
    return table;
  }

  private static String paper(Ddp model) {
    return model.persistency().isOfPaper()
        ? Table4.of(model).map(row -> Integer.toString(row.number())).orElse("")
        : "ours";
  }

  private static String mark(Ddp model, Promise promise) {
    return promise.isMadeBy(model) ? "yes" : "no";
  }
}
