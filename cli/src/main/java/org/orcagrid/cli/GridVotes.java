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

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.orcagrid.membership.zookeeper.EnsembleConfig;

/**
 * Which nodes of a running grid carry the votes of its ensemble. The ensemble is to have as many
 * voters as it began with, as long as there are nodes for that.
 */
final class GridVotes {
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(5);

  /** With fewer nodes, one that restarts would leave no majority to the keys in memory. */
  private static final int NODES_MIN = 3;

  private static final int NOBODY = -1;

  private final GridFolder folder;
  private final GridProcesses processes;
  private final Deadline deadline;
  private final Consumer<String> says;

  /**
   * Of a grid.
   *
   * @param says is told what becomes of votes
   */
  GridVotes(GridFolder folder, GridProcesses processes, Deadline deadline, Consumer<String> says) {
    this.folder = folder;
    this.processes = processes;
    this.deadline = deadline;
    this.says = says;
  }

  private EnsembleVotes connect(int without)
      throws CommandFailure, IOException, InterruptedException {
    return EnsembleVotes.connect(
        folder.ensembleWithout(without), EnsembleSecret.in(folder.dir()).credential(), deadline);
  }

  /**
   * Takes a node's server out of the ensemble, unless it is out. If the node serves, another one
   * that has no vote gets its vote first: it may restart, as no node is missing. Else that is for
   * later.
   *
   * @throws CommandFailure if the ensemble cannot lose it
   */
  void leave(GridNode removed) throws CommandFailure, IOException, InterruptedException {
    int server = removed.number();
    try (EnsembleVotes votes = connect(server)) {
      EnsembleConfig config = votes.now();
      if (!config.servers().isEmpty() && !config.has(server)) {
        return;
      }
      Optional<GridNode> heir = serves(removed) ? heir(config, server) : Optional.empty();
      EnsembleConfig then =
          config.servers().isEmpty() || heir.isEmpty()
              ? votes.take(server)
              : votes.pass(server, hosted(heir.get()));
      says.accept(EnsembleVotes.describe(then));
    }
  }

  private static boolean serves(GridNode node) throws CommandFailure, InterruptedException {
    if (node.running().isEmpty()) {
      return false;
    }
    try (GridProbe probe = new GridProbe()) {
      return probe.objection(node.settings(), PROBE_LIMIT) == null;
    }
  }

  /** Gives nodes the votes that the ensemble lacks. All nodes must serve. */
  void complete() throws CommandFailure, IOException, InterruptedException {
    int wanted = GridFolder.servers(GridFolder.begun(processes.nodes()));
    Optional<DynamicConfig> known = DynamicConfig.latest(folder.servers());
    if (known.isEmpty() || !lacks(known.get().servers(), wanted)) {
      return;
    }
    try (EnsembleVotes votes = connect(NOBODY)) {
      EnsembleConfig config = votes.now();
      boolean isChanged = false;
      while (lacks(config, wanted)) {
        config = votes.give(hosted(heir(config, NOBODY).orElseThrow()));
        isChanged = true;
      }
      if (isChanged) {
        new GridFiles(folder).followEnsemble();
        says.accept(EnsembleVotes.describe(config));
      }
    }
  }

  private boolean lacks(EnsembleConfig config, int wanted) throws CommandFailure {
    return config.voters().size() < wanted && heir(config, NOBODY).isPresent();
  }

  /** A node that may have a vote; first one whose server waits for it. */
  private Optional<GridNode> heir(EnsembleConfig config, int without) throws CommandFailure {
    List<GridNode> nodes = processes.nodes();
    for (GridNode node : nodes) {
      if (node.isHosted() && node.number() != without && !config.has(node.number())) {
        return Optional.of(node);
      }
    }
    Stream<GridNode> alone = nodes.stream().filter(each -> !each.isHosted());
    return nodes.size() < NODES_MIN ? Optional.empty() : alone.findFirst();
  }

  /** The server of a node; it is made one now if there is none. */
  private EnsembleMember hosted(GridNode node)
      throws CommandFailure, IOException, InterruptedException {
    says.accept(
        node.isHosted()
            ? "Node " + node.number() + " gets a vote in the ensemble."
            : "Node "
                + node.number()
                + " gets a vote in the ensemble: it restarts as a server of it, and catches up.");
    if (!node.isHosted()) {
      processes.host(node, deadline);
    }
    return folder
        .server(node.number())
        .orElseThrow(() -> new CommandFailure("Node " + node.number() + " has lost its files."));
  }
}
