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
package org.orcagrid.bench.failover;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.orcagrid.bench.compare.process.LoadProcess;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.HostPort;

/**
 * The program of a node's process: a node as a user has it, and its clients. It reads its orders
 * from standard input, a line each, and answers each with a line on standard output. It ends with
 * its standard input: with the process that has started it, however that ends.
 */
public final class NodeProcess {
  /** The order to count anew, and the answer. */
  static final String MARK = "mark";

  private static final String NAME = "failover";
  private static final String MODEL = "linearizable/synchronous";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private NodeProcess() {}

  /** Which node this is: from 0, of so many, where it listens, its folder, and the ensemble. */
  record Arguments(int node, int nodes, int port, Path folder, String ensemble) {
    List<String> words() {
      return List.of(
          Integer.toString(node),
          Integer.toString(nodes),
          Integer.toString(port),
          folder.toString(),
          ensemble);
    }

    static Arguments of(String[] words) {
      return new Arguments(
          Integer.parseInt(words[0]),
          Integer.parseInt(words[1]),
          Integer.parseInt(words[2]),
          Path.of(words[3]),
          words[4]);
    }
  }

  /** Runs it: the arguments are those of {@link Arguments}. */
  public static void main(String[] words) throws IOException, InterruptedException {
    PrintStream answers = System.out;
    System.setOut(System.err);
    Arguments arguments = Arguments.of(words);
    try (MemberGrid grid = Grid.join(settings(arguments))) {
      if (!grid.awaitServing(PATIENCE)) {
        throw new IllegalStateException(
            "The node does not serve after " + PATIENCE.toSeconds() + " s", grid.failure());
      }
      GridMap<Long, Long> map =
          grid.map(NAME, Codec.LONG, Codec.LONG, Ddp.parse(MODEL)).timeout(TIMEOUT);
      NodeClients clients = new NodeClients(map, arguments.node(), arguments.nodes());
      answers.println(LoadProcess.READY + " " + map.model());
      serve(clients, answers);
    } catch (RuntimeException e) {
      e.printStackTrace(System.err);
      answers.println(LoadProcess.FAILED + " " + String.valueOf(e).replaceAll("\\s+", " "));
      answers.flush();
    }
    // Its clients wait for as long as others are not back, and nobody needs what they wait for.
    Runtime.getRuntime().halt(1);
  }

  private static NodeSettings settings(Arguments arguments) {
    return NodeSettings.of(
            NAME,
            arguments.nodes(),
            new HostPort("127.0.0.1", arguments.port()),
            arguments.folder())
        .withEnsemble(arguments.ensemble());
  }

  private static void serve(NodeClients clients, PrintStream answers) throws IOException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      if (order.equals(MARK)) {
        clients.mark();
        answers.println(MARK);
      } else {
        answers.println(clients.report().line());
      }
    }
    Runtime.getRuntime().halt(0);
  }
}
