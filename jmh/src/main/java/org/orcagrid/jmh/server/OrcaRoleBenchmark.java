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
package org.orcagrid.jmh.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.FinalRequestProcessor;
import org.apache.zookeeper.server.OrcaFinalRequestProcessor;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.jmh.Folders;
import org.orcagrid.jmh.OverlayRequests;
import org.orcagrid.server.gate.ReplyNeeds;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.tree.OrcaZKDatabase;
import org.slf4j.LoggerFactory;

/**
 * The commit path of the overlay behind the quorum: a committed write is applied to the tree by the
 * last processor, and a role works out what a reply needs. The baseline is stock ZooKeeper's last
 * processor with its own tree.
 *
 * <p>There is no quorum and no connection here. The commit processor of a learner is not public: of
 * what it adds to the stock one for each read, {@link OrcaRole#mustAskLeader} is measured, and its
 * look-ups in a set are not.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class OrcaRoleBenchmark {
  private static final int NODES = 1000;
  private static final int DURABLE_BEHIND = 100;
  private static final byte[] DATA = new byte[100];

  /** Paths, requests and their order. */
  @State(Scope.Thread)
  public static class Requests {
    private final String[] paths = new String[NODES];
    private final byte[][] reads = new byte[NODES][];
    private final byte[][] writes = new byte[NODES][];
    private int next;

    /** Makes them. */
    @Setup
    public void make() {
      if (LoggerFactory.getLogger(FinalRequestProcessor.class).isDebugEnabled()) {
        throw new IllegalStateException(
            "The processors log each request, which would be measured; run build/jmh.sh commit");
      }
      for (int i = 0; i < NODES; i++) {
        paths[i] = "/node-" + i;
        reads[i] = OverlayRequests.getData(paths[i]);
        writes[i] = OverlayRequests.setData(paths[i], DATA);
      }
    }

    private int next() {
      next = next + 1 == NODES ? 0 : next + 1;
      return next;
    }

    private Request write(long zxid) {
      int node = next();
      return OverlayRequests.committed(writes[node], zxid, paths[node], DATA);
    }

    private Request read() {
      return OverlayRequests.read(reads[next()]);
    }
  }

  private static void createNodes(Requests requests, ZKDatabase database) {
    for (int i = 0; i < NODES; i++) {
      database
          .getDataTree()
          .processTxn(
              new TxnHeader(1, i, i + 1, 0, OpCode.create),
              new CreateTxn(requests.paths[i], DATA, Ids.OPEN_ACL_UNSAFE, false, i + 1));
    }
  }

  /** A server of ours with a role, its log in a folder under {@code java.io.tmpdir}. */
  @State(Scope.Thread)
  public static class Ours {
    /** What part the server has. */
    @Param({"LEADER", "LEARNER"})
    public OrcaRole.Part part;

    private final ReplyNeeds needs = new ReplyNeeds();
    private Path folder;
    private OrcaZKDatabase database;
    private OrcaRole role;
    private OrcaFinalRequestProcessor last;
    private long applied;
    private long zxid = NODES;

    /** Starts it with all nodes, and writes each. */
    @Setup
    public void start(Requests requests) throws IOException, OrcaConfigException {
      folder = Folders.create("role");
      OrcaTxnSnapLog log = new OrcaTxnSnapLog(folder.toFile(), folder.toFile(), LogStorage.files());
      database = new OrcaZKDatabase(log);
      database.loadDataBase();
      createNodes(requests, database);
      role =
          new OrcaRole(
              OrcaSettings.from(new Properties()),
              database,
              log,
              new Alone(),
              part,
              zxid,
              failure -> {
                throw new IllegalStateException("The log cannot be forced", failure);
              });
      role.start();
      ZooKeeperServer server = new ZooKeeperServer(log, 3000, -1, -1, -1, database, "");
      last = new OrcaFinalRequestProcessor(server, role, appliedZxid -> applied = appliedZxid);
      for (int i = 0; i < NODES; i++) {
        apply(requests);
      }
    }

    /** A write is applied; what was written 100 writes ago becomes durable. */
    private long apply(Requests requests) {
      last.processRequest(requests.write(++zxid));
      role.advance(zxid - DURABLE_BEHIND, zxid - DURABLE_BEHIND);
      if (applied != zxid) {
        throw new IllegalStateException("Transaction " + zxid + " was not applied");
      }
      return applied;
    }

    /** Ends it and deletes its files. */
    @TearDown
    public void close() throws IOException {
      role.close();
      database.close();
      Folders.delete(folder);
    }
  }

  /** An ensemble that nobody else is in. */
  private record Alone() implements OrcaRole.Ensemble {
    @Override
    public void demand(long durable, long applied) {
      throw new IllegalStateException("No reply is held here");
    }

    @Override
    public void onPersisted(long index) {
      // Nothing is logged.
    }

    @Override
    public long lastCommitted() {
      return Long.MAX_VALUE;
    }
  }

  /** A server of stock ZooKeeper. */
  @State(Scope.Thread)
  public static class Stock {
    private Path folder;
    private ZKDatabase database;
    private FinalRequestProcessor last;
    private long zxid = NODES;

    /** Starts it with all nodes. */
    @Setup
    public void start(Requests requests) throws IOException {
      folder = Folders.create("stock");
      FileTxnSnapLog log = new FileTxnSnapLog(folder.toFile(), folder.toFile());
      database = new ZKDatabase(log);
      database.loadDataBase();
      createNodes(requests, database);
      last = new FinalRequestProcessor(new ZooKeeperServer(log, 3000, -1, -1, -1, database, ""));
    }

    /** Ends it and deletes its files. */
    @TearDown
    public void close() throws IOException {
      database.close();
      Folders.delete(folder);
    }
  }

  /** Applies a committed write, notes its change and forgets one that has become durable. */
  @Benchmark
  public long apply(Ours ours, Requests requests) {
    return ours.apply(requests);
  }

  /** The baseline of that. */
  @Benchmark
  public long applyStock(Stock stock, Requests requests) {
    stock.last.processRequest(requests.write(++stock.zxid));
    return stock.database.getDataTreeLastProcessedZxid();
  }

  /** Works out what the reply to a read needs, while changes are not durable. */
  @Benchmark
  public long prepareRead(Ours ours, Requests requests) {
    Request read = requests.read();
    ours.role.prepare(read, ours.needs, false);
    return ours.needs.durableFor(read.cxid, 0);
  }

  /** Works out what the reply to a write needs. */
  @Benchmark
  public long prepareWrite(Ours ours, Requests requests) {
    Request write = requests.write(ours.zxid);
    ours.role.prepare(write, ours.needs, false);
    return ours.needs.durableFor(write.cxid, 0);
  }

  /** What a learner's commit processor asks for each read. */
  @Benchmark
  public boolean mustAskLeader(Ours ours) {
    return ours.role.mustAskLeader(false);
  }

  /** The baseline of preparing and asking: makes the request. */
  @Benchmark
  public Request makeRead(Requests requests) {
    return requests.read();
  }
}
