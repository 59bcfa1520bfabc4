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
package org.orcagrid.bench.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orcagrid.cli.Orca;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.mixed.run.RunRule;
import org.orcagrid.mixed.store.geo.GeoStoreRule;
import org.orcagrid.mixed.track.TrackRule;
import picocli.CommandLine;

/** Through the product's own command line, which must find the commands. */
final class CommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine commandLine = Orca.commandLine();
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }

  @Test
  void listsWhatCanBeReproduced() {
    assertEquals(0, run("reproduce", "--list"));
    assertEquals(31, out.toString().lines().count());
    assertTrue(out.toString().contains("orca-table2"), out.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "bench --workloads E; choose from W, A, B, C, D and F",
        "bench --systems zk; choose from cad, sync",
        "bench --mode fast; choose from closed, pipelined, rate",
        "bench --mode rate; give --rate",
        "bench --clients 0; change --clients",
        "bench --fsync-delay-ms -1; change --fsync-delay-ms",
        "reproduce orca-fig9; choose from orca-fig5, orca-fig6, orca-fig7, orca-fig8, orca-table2,"
            + " orca-table3",
        "reproduce; choose from orca-fig5",
        "reproduce orca-table3 --systems zk; choose from orca, orca:orca.replication=sync",
        "reproduce orca-fig7 --rounds 0; change --rounds",
        "reproduce orca-table3 --sequences 0; change --sequences",
        "reproduce ddp-table4 --seeds 0; change --seeds",
        "reproduce ddp-fig6 --seeds 1001; change --seeds",
        "reproduce ddp-real --rounds 0; change --rounds",
        "reproduce grid-failover --kills 0; change --kills",
        "reproduce myria-fig7 --real; needs --postgres URL and --driver JAR",
        "reproduce orca-fig7 --real --postgres jdbc:x --driver x.jar; myria-fig7 to -fig9",
        "reproduce myria-fig8 --seconds 2; needs --postgres",
        "reproduce myria-fig8 --real --postgres jdbc:x --driver nowhere.jar; nowhere.jar cannot be"
            + " read",
        "compare --durable --contenders redis; choose from relaxed-keys, release-keys",
        "simulate --trace; needs a --model",
        "simulate --model causal; make one, as in causal/synchronous",
        "simulate --model causal/strict --nodes 3; leave --nodes out",
        "simulate --without HISTORY_FIRST; choose from",
        "simulate --model causal/strict --without NONE; choose from ACK_WHEN_DURABLE",
        "compare --contenders snake; choose from relaxed-keys, release-keys, keys-linearizable",
        "compare --writes 101; change --writes",
        "compare --manners fast; choose from pipelined, one-at-a-time",
        "compare --contenders floor-worker --manners one-at-a-time; change --manners",
        "compare --geo --contenders redis; choose from geo-eventual, geo-session",
        "compare --geo --rounds 0; change --rounds",
        "compare --geo --durable; leave --durable out",
        "bench geo --partitions 1; change --partitions",
        "bench geo --seconds 0; change --seconds",
        "bench geo --settle-seconds 601; change --settle-seconds",
        "bench start --znodes 0; --znodes is 1 to 20000000",
        "compare --depth 1; change --depth",
        "compare --threads 0; change --threads",
        "compare --rounds 0; change --rounds",
        "compare --seconds 0; change --seconds",
        "compare --keys 0; change --keys",
        "geo perf --logs paxos; which has raft, ratis",
        "geo perf --rounds 0; --rounds and --partitions are positive",
        "geo perf --seconds 0; Load is positive",
        "compare --value-bytes 4; change --value-bytes",
        "example snake; choose from location, retwis, jobs, mailbox",
        "example jobs --check; leave --check out",
        "example location --stores zk; choose from weak-zk, strong-zk, orca",
        "quickstart --clients 0; change --clients"
      })
  void refusesWhatItCannotDoAndSaysWhatItCan(String line, String advice) {
    assertEquals(2, run(line.split(" ")), err.toString());
    assertTrue(err.toString().contains(advice), err.toString());
  }

  @Test
  void everyCommandSaysInASentenceWhatItDoesAndHasExitStatuses() {
    List<CommandLine> all = new ArrayList<>();
    addAll(Orca.commandLine(), all);
    assertTrue(all.stream().anyMatch(each -> each.getCommandName().equals("compare")));
    for (CommandLine command : all) {
      String name = command.getCommandSpec().qualifiedName();
      String first = command.getCommandSpec().usageMessage().description()[0];
      assertTrue(first.matches("[A-Z][^.]*(\\.\\w[^.]*)*\\."), () -> name + ": " + first);
      String usage = command.getUsageMessage();
      assertTrue(usage.contains("Exit status:"), usage);
    }
  }

  private static void addAll(CommandLine command, List<CommandLine> all) {
    all.add(command);
    command.getSubcommands().values().forEach(each -> addAll(each, all));
  }

  @Test
  void modelsAreSimulated() {
    assertEquals(
        0, run("simulate", "--model", "causal/synchronous", "--seeds", "40"), err::toString);
    assertTrue(
        out.toString().contains("causal/synchronous has kept what it promises"), out::toString);
    assertTrue(out.toString().contains("Not promised: a read may miss"), out::toString);
  }

  @Test
  void aSeedOfAModelIsTold() {
    String line = "simulate --model eventual/synchronous --first 6 --seeds 1 --trace";
    assertEquals(0, run(line.split(" ")), err::toString);
    assertTrue(out.toString().contains(" us: "), out::toString);
    assertTrue(
        out.toString().contains("a read may miss what was completed before it: DdpEvent["),
        out::toString);
  }

  @Test
  void aSeedThatFailsIsToldWithTheCommandThatTellsItAgain() {
    String model = "simulate --model causal/synchronous --without OWN_WRITES";
    assertEquals(1, run((model + " --seeds 100").split(" ")), out::toString);
    Matcher again = Pattern.compile("'orca (.* --without OWN_WRITES)'").matcher(err.toString());
    assertTrue(again.find(), err::toString);
    String told = out.toString();
    assertTrue(told.contains(" us: "), told);
    out.getBuffer().setLength(0);
    assertEquals(1, run(again.group(1).split(" ")));
    assertTrue(told.endsWith(out.toString()), out::toString);
  }

  @Test
  void eachRuleOfMixedTransactionsCanBeBroken() {
    assertEquals(2, run("simulate", "--mixed", "--without", "NO_SUCH_RULE"), out::toString);
    Stream.of(RunRule.values(), TrackRule.values(), GeoStoreRule.values())
        .flatMap(Arrays::stream)
        .forEach(rule -> assertTrue(err.toString().contains(rule.name()), err::toString));
    String broken = "simulate --mixed --without " + GeoStoreRule.OBJECTS_KEEP_IDS;
    assertEquals(1, run((broken + " --seeds 400").split(" ")), out::toString);
    assertTrue(err.toString().contains("Seed "), err::toString);
  }

  @Test
  void table4IsFilled(@TempDir Path folder) throws IOException {
    assertEquals(
        0,
        run("reproduce", "ddp-table4", "--seeds", "20", "--out", folder.toString()),
        err::toString);
    String page = Files.readString(folder.resolve("ddp-table4").resolve("README.md"));
    assertTrue(page.contains("seeds 1 to 20 "), page);
    assertTrue(
        page.lines()
            .anyMatch(line -> line.matches("\\| causal/synchronous +\\| +4 \\| .* equal \\|")),
        page);
    assertTrue(page.contains("orca simulate --model"), page);
    String csv = Files.readString(folder.resolve("ddp-table4").resolve("data.csv"));
    assertEquals(1 + 36 * (Promise.values().length + 1), csv.lines().count());
  }

  @Test
  void modelsAreTimed(@TempDir Path folder) throws IOException {
    assertEquals(
        0, run("reproduce", "ddp-fig8", "--quick", "--out", folder.toString()), err::toString);
    Path results = folder.resolve("ddp-fig8");
    String page = Files.readString(results.resolve("README.md"));
    assertTrue(
        page.lines()
            .anyMatch(line -> line.matches("\\| linearizable/synchronous +\\| .* 1.00 \\| .*")),
        page);
    assertTrue(page.contains("orca reproduce ddp-fig8 --quick"), page);
    assertEquals(1 + 30, Files.readString(results.resolve("data.csv")).lines().count());
    assertTrue(Files.readString(results.resolve("chart.svg")).startsWith("<svg"));
  }
}
