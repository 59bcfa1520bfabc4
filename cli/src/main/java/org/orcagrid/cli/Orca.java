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
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code orca}; what it can do are its subcommands. */
@Command(
    name = "orca",
    description = "ZooKeeper with consistency-aware durability, and a data grid.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = ProductVersion.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    subcommands = {
      HelpCommand.class,
      ServerCommand.class,
      EnsembleCommand.class,
      GridCommand.class,
      GeoCommand.class,
      MixedCommand.class,
      ModelsCommand.class,
      RdmaCommand.class,
      ShellCommand.class,
      TlsCommand.class,
      JavaCommand.class
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:done", "1:failed; one sentence on standard error says why", "2:wrong usage"})
public final class Orca implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  private boolean verbose;

  /** For {@link #commandLine()} only, which completes the object. */
  private Orca() {}

  /** Runs one command and ends the JVM with its exit status. */
  public static void main(String[] args) {
    LogConfig.forArguments(args).select();
    leaveHostNamesToZooKeeper();
    System.exit(execute(args));
  }

  /**
   * ZooKeeper's client checks host names itself, as far as it is configured to. Netty does so as
   * well from 4.2 on, unasked: with certificates that ZooKeeper 3.9 accepts, no shell would
   * connect. The grid's connections say themselves what they check.
   */
  private static void leaveHostNamesToZooKeeper() {
    String property = "io.netty.handler.ssl.defaultEndpointVerificationAlgorithm";
    if (System.getProperty(property) == null) {
      System.setProperty(property, "NONE");
    }
  }

  private static int execute(String[] args) {
    if (isPlainServerRun(args)) {
      return runServer(Path.of(args[2]));
    }
    try {
      return commandLine().execute(args);
    } catch (ServiceConfigurationError e) {
      System.err.println(
          FailureReport.PREFIX
              + "A command on the class path cannot be loaded ("
              + e.getMessage()
              + "); build all modules again.");
      return 1;
    }
  }

  private static boolean isPlainServerRun(String[] args) {
    return args.length == 3
        && args[0].equals("server")
        && args[1].equals("run")
        && !args[2].startsWith("-");
  }

  /**
   * The command line's model of all commands stays in memory, and a third of a server's start goes
   * into it: a server that needs none of it does without.
   */
  private static int runServer(Path zooCfg) {
    try {
      return new ServerRun(zooCfg).call();
    } catch (Exception e) {
      return FailureReport.print(
          e, new PrintWriter(System.err, true, Charset.defaultCharset()), false);
    }
  }

  /**
   * Returns a new command line with every subcommand on the class path. Its {@code execute} returns
   * the exit status and ends no JVM, except for {@code orca cli}, whose shell exits by itself.
   */
  public static CommandLine commandLine() {
    Orca root = new Orca();
    CommandLine commandLine = new CommandLine(root);
    for (SubcommandProvider provider : ServiceLoader.load(SubcommandProvider.class)) {
      String group = provider.group();
      CommandLine parent = group.isEmpty() ? commandLine : commandLine.getSubcommands().get(group);
      if (parent == null) {
        throw new ServiceConfigurationError(
            provider.getClass().getName() + " adds to 'orca " + group + "', which there is not");
      }
      parent.addSubcommand(provider.subcommand());
    }
    FailureReport report = new FailureReport(root);
    // "@x" is a value like any other in zoo.cfg settings and in the shell's commands.
    return commandLine
        .setExpandAtFiles(false)
        .setExecutionExceptionHandler(report)
        .setParameterExceptionHandler(report);
  }

  boolean verbose() {
    return verbose;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
