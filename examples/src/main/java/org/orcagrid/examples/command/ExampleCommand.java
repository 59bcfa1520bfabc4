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
package org.orcagrid.examples.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.StateFolder;
import org.orcagrid.examples.demo.Demo;
import org.orcagrid.examples.demo.DemoServer;
import org.orcagrid.examples.demo.Shown;
import org.orcagrid.examples.ensemble.Folders;
import org.orcagrid.examples.ensemble.Store;
import org.orcagrid.examples.groups.GroupsCheck;
import org.orcagrid.examples.groups.GroupsServer;
import org.orcagrid.examples.jobs.JobsServer;
import org.orcagrid.examples.location.LocationDemo;
import org.orcagrid.examples.mailbox.MailboxCheck;
import org.orcagrid.examples.mailbox.MailboxServer;
import org.orcagrid.examples.retwis.RetwisDemo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orca example}: an application in a browser, while servers fail. */
@Command(
    name = "example",
    description = {
      "Show an application in a browser, on stores side by side, while their servers fail.",
      "It ends with Ctrl-C and removes everything again."
    })
final class ExampleCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "EXAMPLE",
      description =
          "location (users walk, others look), retwis (post, follow, timeline), jobs (two queues of"
              + " a grid), mailbox (a user between two datacenters) or groups (posts over two"
              + " stores, in three regions).")
  private String example;

  @Option(
      names = "--stores",
      split = ",",
      defaultValue = "weak-zk,orca",
      description =
          "Of weak-zk, strong-zk and orca, for location and retwis; default ${DEFAULT-VALUE}.")
  private List<String> stores;

  @Option(
      names = "--port",
      defaultValue = "8099",
      description = "Of the page, on the loopback address; default ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--nodes-port",
      defaultValue = "7400",
      description =
          "Of the first node of jobs or mailbox, the others follow; default ${DEFAULT-VALUE}.")
  private int nodesPort;

  @Option(names = "--no-faults", description = "Things go wrong only when a button is pressed.")
  private boolean noFaults;

  @Option(
      names = "--check",
      description =
          "Play mailbox or groups without a page, print what was counted, and fail if a guarantee"
              + " broke.")
  private boolean check;

  @Option(
      names = "--seconds",
      defaultValue = "0",
      description = "End after this time; default ${DEFAULT-VALUE}, never.")
  private long seconds;

  @Option(
      names = "--dir",
      description =
          "Where the servers keep their data meanwhile (default: example" + StateFolder.HELP)
  private Path dir;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    Application application = application();
    if (check && !List.of("mailbox", "groups").contains(example)) {
      throw new ParameterException(
          spec.commandLine(),
          "Only mailbox and groups can be checked; leave --check out for " + example);
    }
    Path directory = dir == null ? StateFolder.of("example") : dir;
    StateFolder.create(directory);
    console.println("Starting " + application.servers() + " ...");
    console.flush();
    try {
      Path folder = Files.createTempDirectory(directory, example + "-");
      if (check) {
        return checked(folder, console);
      }
      try (Ending ending = new Ending(started(application.starting(), folder), folder)) {
        console.println("Open " + ending.shown.address() + " in a browser; end with Ctrl-C.");
        console.flush();
        TimeUnit.SECONDS.sleep(seconds > 0 ? seconds : Long.MAX_VALUE);
      }
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
    return 0;
  }

  /** What is started, as the user is told, and how. */
  private record Application(String servers, Starting starting) {}

  private interface Starting {
    Shown start(Path folder) throws IOException, CommandFailure, InterruptedException;
  }

  private Application application() {
    return switch (example) {
      case "location" -> onStores(LocationDemo::new);
      case "retwis" -> onStores(RetwisDemo::new);
      case "jobs" ->
          new Application(
              "a grid of three nodes",
              folder -> JobsServer.start(folder, port, nodesPort, !noFaults));
      case "mailbox" ->
          new Application(
              "two datacenters",
              folder ->
                  MailboxServer.start(folder, port, nodesPort, !noFaults, MailboxServer.PACE));
      case "groups" ->
          new Application(
              "three servers, and three regions",
              folder -> GroupsServer.start(folder, port, !noFaults));
      default ->
          throw new ParameterException(
              spec.commandLine(),
              "There is no example '"
                  + example
                  + "'; choose from location, retwis, jobs, mailbox, groups.");
    };
  }

  private Application onStores(Demo.Maker maker) {
    List<Store> chosen = stores.stream().map(this::store).toList();
    return new Application(
        "three servers for each of " + String.join(", ", stores),
        folder ->
            DemoServer.start(new DemoServer.Show(example, maker, chosen, folder, port, !noFaults)));
  }

  private static Shown started(Starting starting, Path folder)
      throws IOException, CommandFailure, InterruptedException {
    try {
      return starting.start(folder);
    } catch (IOException | CommandFailure | InterruptedException | RuntimeException e) {
      Folders.delete(folder);
      throw e;
    }
  }

  private int checked(Path folder, PrintWriter console)
      throws IOException, CommandFailure, InterruptedException {
    String wrong;
    try {
      wrong =
          example.equals("mailbox")
              ? MailboxCheck.run(folder, nodesPort, console)
              : GroupsCheck.run(folder, console);
    } finally {
      Folders.delete(folder);
    }
    if (!wrong.isEmpty()) {
      throw new CommandFailure(wrong);
    }
    console.println(
        example.equals("mailbox")
            ? "No guarantee of the session broke."
            : "Every transaction was seen whole, and is there once.");
    return 0;
  }

  private Store store(String id) {
    return Store.all().stream()
        .filter(store -> store.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "There is no store '" + id + "'; choose from weak-zk, strong-zk, orca."));
  }

  /** Ends the example once, at the end of the command or of the JVM, and removes its files. */
  private static final class Ending implements AutoCloseable {
    private final Shown shown;
    private final Path folder;
    private final Thread hook = new Thread(this::end, "example-end");

    Ending(Shown shown, Path folder) {
      this.shown = shown;
      this.folder = folder;
      Runtime.getRuntime().addShutdownHook(hook);
    }

    private void end() {
      shown.close();
      try {
        Folders.delete(folder);
      } catch (IOException e) {
        System.err.println("Cannot remove " + folder + " (" + e + "); delete it by hand.");
      }
    }

    @Override
    public void close() {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException alreadyEnding) {
        return;
      }
      end();
    }
  }
}
