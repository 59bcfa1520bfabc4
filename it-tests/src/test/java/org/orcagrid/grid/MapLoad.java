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
package org.orcagrid.grid;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.ddp.durable.log.ForgetfulFiles;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.SessionEndedException;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.TransportChoice;
import org.orcagrid.transport.tcp.ZoneSettings;

/**
 * A process with a node and clients of its own, which writes down all that it was told, a line for
 * each answer, before anything else: {@link MapLedger} reads that. It may carry a server of the
 * ensemble that its node joins by, as {@code orca grid start} has it.
 *
 * <p>Clients write and read single keys of a linearizable map, and pairs of keys of a transactional
 * one, always the same value to both; {@link KeysLoad} has those of Kite's keys. At the word {@code
 * stop} they end, and all keys are read once more; at the end of its input the process leaves.
 */
final class MapLoad {
  static final int SIZE = 3;
  static final int KEYS = 4;
  private static final int CLIENTS = 3;
  private static final String CLUSTER = "torture";
  private static final long PATIENCE_SECONDS = 300;
  private static final long PAUSE_NANOS = 3_000_000;

  /** Times of a machine's later life are after all of an earlier one, whose clock began anew. */
  private static final long LIFE_NANOS =
      TimeUnit.DAYS.toNanos(10) * Integer.getInteger("orca.lab.life", 0);

  private static final KeySettings IN_MEMORY = new KeySettings(8, 1024, 8 << 20);
  private static final SegmentLimits LOG = new SegmentLimits(4 << 20, 1 << 20, 4 << 20, 1L << 28);

  /** The maps of the load. */
  enum Which {
    SINGLES("linearizable/synchronous"),
    PAIRS("transactional/synchronous");

    private final String model;

    Which(String model) {
      this.model = model;
    }
  }

  /** A file zoo.cfg: the server that the process carries. Empty for none. */
  private static final String SERVER = System.getProperty("orca.lab.server", "");

  /** Whether what the maps have not forced is lost when the process is killed. */
  private static final boolean FORGETS = Boolean.getBoolean("orca.lab.forgets");

  private final LedgerFile ledger;
  private final LoadedNode host;
  private final KeysLoad keys;
  private final int process;
  private final long firstValue;
  private long values;
  private volatile boolean stopping;

  private MapLoad(LedgerFile ledger, LoadedNode host, int process, long firstValue) {
    this.ledger = ledger;
    this.host = host;
    this.process = process;
    this.firstValue = firstValue;
    this.keys =
        new KeysLoad(
            ledger, host, Duration.ofSeconds(PATIENCE_SECONDS), firstValue, () -> stopping);
  }

  /**
   * The ensemble, this node's address, its folder, its ledger, its number and that of its life, the
   * transport, and a device of memory that others may write into if there is to be one.
   */
  public static void main(String[] args) throws Exception {
    int number = Integer.parseInt(args[4]);
    long firstValue = (long) number << 56 | Long.parseLong(args[5]) << 40;
    try (LedgerFile ledger = new LedgerFile(Path.of(args[3]));
        OrcaServer server = SERVER.isEmpty() ? null : startServer()) {
      ledger.write("START " + now());
      NodeSettings settings =
          NodeSettings.of(CLUSTER, SIZE, HostPort.parse(args[1]), Path.of(args[2]))
              .withMedium(FORGETS ? ForgetfulFiles.logs(LOG) : LogMedium.kind(LOG))
              .withTransport(TransportChoice.parse(args[6]))
              .withLease(Ports.LEASE)
              .withKeys(IN_MEMORY)
              .withEnsemble(server == null ? args[0] : server.connectString());
      if (args.length > 7) {
        settings = settings.withZones(new ZoneSettings(Path.of(args[7]), false));
      }
      try (LoadedNode host = LoadedNode.start(settings, ledger)) {
        new MapLoad(ledger, host, number - 1, firstValue).run();
      }
    }
  }

  private static OrcaServer startServer() throws IOException, OrcaConfigException {
    return OrcaServer.start(OrcaServerConfig.fromZooCfg(Path.of(SERVER)));
  }

  /** This machine's monotonic time, which goes on when it is started anew. */
  static long now() {
    return LIFE_NANOS + System.nanoTime();
  }

  private void tell(String what, Which map, String key, long value, long clock, long... times) {
    StringBuilder line =
        new StringBuilder(what + " " + map + " " + key + " " + value + " " + clock);
    for (long time : times) {
      line.append(' ').append(time);
    }
    ledger.write(line.toString());
  }

  private synchronized long newValue() {
    return firstValue | ++values;
  }

  private void run() throws IOException, InterruptedException {
    List<Thread> clients = new ArrayList<>();
    for (Which which : Which.values()) {
      for (int client = 0; client < CLIENTS; client++) {
        SplittableRandom random = new SplittableRandom(firstValue + client);
        // Some only read, and so need nobody: they would show a node that was left out.
        boolean mayWrite = client == 0;
        Thread thread = new Thread(() -> load(which, random, mayWrite), which + "-" + client);
        clients.add(thread);
      }
    }
    SplittableRandom random = new SplittableRandom(firstValue);
    SplittableRandom other = random.split();
    clients.add(new Thread(() -> keys.add(random), "adds"));
    clients.add(new Thread(() -> keys.release(process, other), "releases"));
    for (Thread client : clients) {
      client.setDaemon(true);
      client.start();
    }
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String word = in.readLine(); word != null; word = in.readLine()) {
      if (word.equals("stop")) {
        stopping = true;
        for (Thread client : clients) {
          client.join();
        }
        readAll();
        keys.count();
        ledger.write("STOPPED " + now() + " " + host.await().maps().recordsInZones());
      }
    }
  }

  private void load(Which which, SplittableRandom random, boolean mayWrite) {
    MapSession session = null;
    while (!stopping) {
      try {
        session = session == null || session.isEnded() ? open(which) : session;
        if (which == Which.SINGLES) {
          single(session, random, mayWrite);
        } else {
          pair(session, random, mayWrite);
        }
      } catch (SessionEndedException e) {
        session = null;
      } catch (IllegalStateException e) {
        // The node does not have the map at present.
        session = null;
      } catch (ExecutionException | TimeoutException | IOException | InterruptedException e) {
        ledger.write("FAILED " + which + ": " + e);
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private MapSession open(Which which) throws IOException, InterruptedException {
    while (true) {
      HostedMaps node = host.await().maps();
      try {
        MapDefinition map =
            node.define(
                which.toString(),
                Ddp.parse(which.model),
                Conflicts.ABORT,
                TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
        return node.openSession(map);
      } catch (IOException e) {
        // Nobody serves for as long as somebody is not back.
        ledger.write("WAITS " + now() + " " + e.getMessage());
        if (stopping) {
          throw e;
        }
      }
    }
  }

  private static Operation ask(MapSession session, Operation what)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      return session.submit(what).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SessionEndedException ended) {
        throw ended;
      }
      throw e;
    }
  }

  private static byte[] bytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static long value(Operation read) {
    return read.read() == null ? 0 : ByteBuffer.wrap(read.read().value()).getLong();
  }

  private static long clock(Operation read) {
    return read.read() == null ? 0 : read.read().clock();
  }

  private void single(MapSession session, SplittableRandom random, boolean mayWrite)
      throws ExecutionException, TimeoutException, InterruptedException {
    String key = "k" + random.nextInt(KEYS);
    if (!mayWrite || random.nextBoolean()) {
      readSingle(session, key);
      return;
    }
    long value = newValue();
    tell("TRIES", Which.SINGLES, key, value, 0);
    long began = now();
    Operation written = ask(session, Operation.write(Key.of(key), bytes(value)));
    tell("WROTE", Which.SINGLES, key, value, written.clock(), began, now());
  }

  private void readSingle(MapSession session, String key)
      throws ExecutionException, TimeoutException, InterruptedException {
    long began = now();
    Operation read = ask(session, Operation.read(Key.of(key)));
    tell("READ", Which.SINGLES, key, value(read), clock(read), began, now());
  }

  private void pair(MapSession session, SplittableRandom random, boolean mayWrite)
      throws ExecutionException, TimeoutException, InterruptedException {
    int pair = random.nextInt(KEYS);
    if (!mayWrite || random.nextBoolean()) {
      readPair(session, pair);
      return;
    }
    long value = newValue();
    List<Key> keys = List.of(Key.of(pair + "a"), Key.of(pair + "b"));
    keys.forEach(key -> tell("TRIES", Which.PAIRS, key.toString(), value, 0));
    long began = now();
    List<Operation> writes = new ArrayList<>();
    boolean done = begin(session);
    for (int i = 0; done && i < keys.size(); i++) {
      Key key = keys.get(i);
      writes.add(ask(session, Operation.write(key, bytes(value))));
      done = isDone(writes.get(i));
    }
    boolean givesUp = done && random.nextInt(8) == 0;
    if (done) {
      Operation.Kind end = givesUp ? Operation.Kind.ABORT : Operation.Kind.END;
      done = isDone(ask(session, Operation.of(end))) && !givesUp;
    }
    long ended = now();
    for (int i = 0; i < keys.size(); i++) {
      String key = keys.get(i).toString();
      if (done) {
        tell("WROTE", Which.PAIRS, key, value, writes.get(i).clock(), began, ended);
      } else {
        tell("ABORTED", Which.PAIRS, key, value, 0);
      }
    }
  }

  private static boolean begin(MapSession session)
      throws ExecutionException, TimeoutException, InterruptedException {
    return isDone(ask(session, Operation.of(Operation.Kind.BEGIN)));
  }

  private static boolean isDone(Operation operation) {
    return operation.status() == Operation.Status.DONE;
  }

  /** Whether it was read, and not aborted by somebody. */
  private boolean readPair(MapSession session, int pair)
      throws ExecutionException, TimeoutException, InterruptedException {
    long began = now();
    if (!begin(session)) {
      return false;
    }
    Operation first = ask(session, Operation.read(Key.of(pair + "a")));
    if (!isDone(first)) {
      return false;
    }
    Operation second = ask(session, Operation.read(Key.of(pair + "b")));
    if (!isDone(second) || !isDone(ask(session, Operation.of(Operation.Kind.END)))) {
      return false;
    }
    long ended = now();
    tell("READ", Which.PAIRS, pair + "a", value(first), clock(first), began, ended);
    tell("READ", Which.PAIRS, pair + "b", value(second), clock(second), began, ended);
    tell("PAIR", Which.PAIRS, pair + "ab", value(first), value(second));
    return true;
  }

  /** What is there in the end. */
  private void readAll() throws IOException, InterruptedException {
    try {
      MapSession singles = open(Which.SINGLES);
      MapSession pairs = open(Which.PAIRS);
      for (int key = 0; key < KEYS; key++) {
        readSingle(singles, "k" + key);
        while (!readPair(pairs, key)) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    } catch (ExecutionException | TimeoutException | IllegalStateException e) {
      ledger.write("FAILED at the end: " + e);
    }
  }
}
