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

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.orcagrid.transport.rdma.RdmaDoctor;
import org.orcagrid.transport.rdma.RdmaDoctor.Finding;
import org.orcagrid.transport.rdma.RdmaDoctor.Grade;
import org.orcagrid.transport.rdma.RdmaSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca rdma}: the grid's transport over RDMA on this machine. */
@Command(
    name = "rdma",
    description = "The grid over RDMA: what this machine has for it, lacks, and how fast it is.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = RdmaCommand.Doctor.class)
final class RdmaCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  /** {@code orca rdma doctor}. */
  @Command(
      name = "doctor",
      description = "Look at libraries, devices, links, addresses and limits; say what to mend.")
  static final class Doctor implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(names = "--device", description = "Its name, as ibv_devices prints it; default any.")
    private String device;

    @Option(names = "--port", defaultValue = "1", description = "Default ${DEFAULT-VALUE}.")
    private int port;

    @Option(
        names = "--gid",
        defaultValue = "-1",
        description = "Index of the port's address; default the best.")
    private int gid;

    @Override
    public Integer call() throws CommandFailure {
      RdmaSettings usual = RdmaSettings.DEFAULT;
      List<Finding> findings =
          RdmaDoctor.examine(
              new RdmaSettings(
                  device,
                  port,
                  gid,
                  usual.packetsPerPeer(),
                  usual.datagramsPerPeer(),
                  usual.connections()));
      PrintWriter out = spec.commandLine().getOut();
      for (Finding each : findings) {
        out.printf("%-5s %s%n", word(each.grade()), each.what());
        if (!each.remedy().isEmpty()) {
          out.printf("      -> %s%n", each.remedy());
        }
      }
      out.flush();
      if (findings.stream().anyMatch(each -> each.grade() == Grade.BAD)) {
        throw new CommandFailure("There is no RDMA here as it is; see above for what to mend.");
      }
      return 0;
    }

    private static String word(Grade grade) {
      return switch (grade) {
        case GOOD -> "ok";
        case FAIR -> "fair";
        case BAD -> "BAD";
      };
    }
  }
}
