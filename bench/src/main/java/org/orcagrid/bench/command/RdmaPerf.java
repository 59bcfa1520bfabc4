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

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.orcagrid.bench.rdma.LinkEnd;
import org.orcagrid.bench.rdma.Perftest;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;
import org.orcagrid.transport.rdma.RdmaTransports;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodeTransports;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TransportChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orca rdma perf}. */
@Command(
    name = "perf",
    description = {
      "Measure the transport between two nodes alone: how long a packet takes one way, and how many"
          + " go in a second.",
      "Without --nodes both ends are here, and perftest's ib_send_lat and ib_send_bw (UD) are run"
          + " beside it on the same device. With it run it on both hosts, first as --self 1."
    })
final class RdmaPerf implements Callable<Integer> {
  private static final double MICRO = 1e3;

  @Spec private CommandSpec spec;

  @Option(
      names = "--transport",
      converter = Converters.OneTransport.class,
      defaultValue = "rdma",
      description = "As grid.transport in grid.cfg; default ${DEFAULT-VALUE}.")
  private TransportChoice wish;

  @Option(names = "--bytes", defaultValue = "64", description = "Default ${DEFAULT-VALUE}.")
  private int bytes;

  @Option(
      names = "--rounds",
      defaultValue = "10000",
      description = "Packets there and back; default ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "3",
      description = "How long packets go one way; default ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--nodes",
      paramLabel = "HOST:PORT,HOST:PORT",
      description = "Where the two ends listen, on two hosts.")
  private String nodes;

  @Option(names = "--self", defaultValue = "0", description = "Which of --nodes this is, 0 or 1.")
  private int self;

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description = "What both ends know (grid.secret.file); without it both are on this host.")
  private Path secretFile;

  @Override
  public Integer call() throws CommandFailure, IOException, InterruptedException {
    if (bytes < LinkEnd.BYTES_MIN
        || bytes > 4096
        || rounds < 1
        || seconds <= 0
        || self < 0
        || self > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--bytes is 16 to 4096, --rounds and --seconds are positive, --self is 0 or 1.");
    }
    List<HostPort> both = both();
    NodeTransports transports = open();
    if (both == null) {
      measureHere(transports);
      return 0;
    }
    try (LinkEnd end = open(transports, both)) {
      if (self == 0) {
        measure(end);
      } else {
        out().println("Answers until it is interrupted.");
        out().flush();
        while (!Thread.interrupted()) {
          end.poll();
        }
      }
    }
    return 0;
  }

  private LinkEnd open(NodeTransports transports, List<HostPort> both) throws CommandFailure {
    try {
      PortSecurity security =
          secretFile == null ? PortSecurity.NONE : PortSecurity.NONE.withSecret(secretFile);
      return LinkEnd.open(transports, both, self, security);
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage() + "; here grid.secret.file is --secret-file.", e);
    }
  }

  /** The two ends, null if both are here. */
  private List<HostPort> both() {
    if (nodes == null) {
      return null;
    }
    String reason = "give two addresses, as in hosta:7300,hostb:7300";
    try {
      List<HostPort> both = HostPort.parseAll(nodes);
      if (both.size() == 2) {
        return both;
      }
    } catch (IllegalArgumentException e) {
      reason = e.getMessage();
    }
    throw new ParameterException(spec.commandLine(), "--nodes=" + nodes + ": " + reason + ".");
  }

  private NodeTransports open() throws CommandFailure {
    try {
      return wish.open(new Told(out()));
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage() + "; see orca rdma doctor.", e);
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Says what the transport is. */
  private record Told(PrintWriter out) implements LinkListener {
    @Override
    public void onTransport(String which) {
      out.println(which);
      out.flush();
    }
  }

  private void measureHere(NodeTransports transports)
      throws CommandFailure, IOException, InterruptedException {
    List<HostPort> both = new ArrayList<>();
    List<Integer> ports = FreePorts.find(3, new Random());
    ports.subList(0, 2).forEach(port -> both.add(new HostPort("127.0.0.1", port)));
    Result result;
    try (LinkEnd asks = LinkEnd.open(transports, both, 0, PortSecurity.NONE);
        Answers answers = new Answers(LinkEnd.open(transports, both, 1, PortSecurity.NONE))) {
      answers.thread.start();
      result = measure(asks);
    }
    if (transports instanceof RdmaTransports rdma) {
      compare(result, rdma.found(), ports.get(2));
    }
  }

  /** The end that answers, which is its thread's alone. */
  private static final class Answers implements AutoCloseable {
    private final LinkEnd end;
    private final AtomicBoolean over = new AtomicBoolean();
    private final Thread thread = new Thread(this::run, "orca-perf");

    Answers(LinkEnd end) {
      this.end = end;
      thread.setDaemon(true);
    }

    private void run() {
      try (end) {
        while (!over.get()) {
          end.poll();
        }
      }
    }

    @Override
    public void close() throws InterruptedException {
      over.set(true);
      thread.join();
    }
  }

  private record Result(double medianMicros, double perSecond) {}

  private Result measure(LinkEnd end) throws IOException {
    end.latencies(bytes, Math.max(1, rounds / 5));
    long[] nanos = end.latencies(bytes, rounds);
    end.packetsPerSecond(bytes, seconds / 5);
    double perSecond = end.packetsPerSecond(bytes, seconds);
    double median = nanos[rounds / 2] / MICRO;
    say(
        "Orca Grid: %d bytes one way: median %.2f us, 99%% %.2f us; %.0f packets a second",
        bytes, median, nanos[(int) (rounds * 0.99)] / MICRO, perSecond);
    return new Result(median, perSecond);
  }

  private void compare(Result ours, RdmaTransports.Found device, int port)
      throws InterruptedException {
    Perftest perftest = new Perftest(device, port);
    try {
      double[] latency = perftest.latencyMicros(bytes, rounds);
      int packets = (int) Math.max(1000, Math.min(1_000_000, ours.perSecond() * seconds));
      double perSecond = perftest.packetsPerSecond(bytes, packets);
      say(
          "perftest:  %d bytes one way: median %.2f us, 99%% %.2f us; %.0f packets a second",
          bytes, latency[0], latency[1], perSecond);
      say(
          "Ratio: %.2f times ib_send_lat's median, %.2f times ib_send_bw's packets a second",
          ours.medianMicros() / latency[0], ours.perSecond() / perSecond);
    } catch (IOException e) {
      say("perftest cannot be run beside it (apt-get install perftest): %s", e.getMessage());
    }
  }

  private void say(String format, Object... values) {
    out().println(String.format(Locale.ROOT, format, values));
    out().flush();
  }
}
