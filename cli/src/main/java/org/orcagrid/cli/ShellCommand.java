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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.apache.zookeeper.ZooKeeperMain;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code orca cli}: ZooKeeper's own shell with our class path and without its log. */
@Command(
    name = "cli",
    preprocessor = ShellCommand.PassThrough.class,
    customSynopsis = "orca cli [-server HOST:PORT,...] [COMMAND ARGUMENT...]",
    description = {
      "Run ZooKeeper's shell; all arguments are its own.",
      "Without -server it connects to the ensemble of 'orca ensemble start' if one runs, else to"
          + " 127.0.0.1:2181."
    })
final class ShellCommand implements Callable<Integer> {
  private static final String DEFAULT_SERVER = "127.0.0.1:2181";

  @Spec private CommandSpec spec;
  private List<String> arguments = List.of();

  /** Hands over the arguments as they are: the shell has options of its own. */
  static final class PassThrough implements IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete") // picocli's signature
    public boolean preprocess(
        Stack<String> args, CommandSpec command, ArgSpec argSpec, Map<String, Object> info) {
      if (args.size() == 1 && args.peek().equals("--help")) {
        return false;
      }
      List<String> all = new ArrayList<>(args);
      Collections.reverse(all);
      ((ShellCommand) command.userObject()).arguments = all;
      args.clear();
      return true;
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException, CommandFailure {
    List<String> shell = new ArrayList<>(arguments);
    if (!shell.contains("-server")) {
      shell.add(0, "-server");
      shell.add(1, defaultServer(EnsembleSpec.defaultDir()));
    }
    spec.commandLine().getOut().flush();
    ZooKeeperMain.main(shell.toArray(String[]::new));
    return 0;
  }

  /** Returns the connect string of the ensemble in {@code dir} if one of its servers runs. */
  static String defaultServer(Path dir) throws CommandFailure {
    List<EnsembleMember> members = EnsembleFiles.read(dir);
    boolean running = false;
    for (EnsembleMember member : members) {
      running |= PidFile.in(member.dataDir()).running().isPresent();
    }
    return running ? EnsembleMember.connectString(members) : DEFAULT_SERVER;
  }
}
