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
package org.orcagrid.cad.cluster;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Properties;
import org.apache.jute.Record;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestRecord;
import org.apache.zookeeper.txn.TxnHeader;
import org.orcagrid.cad.UndurableChanges;
import org.orcagrid.cad.UndurableWindow;
import org.orcagrid.server.gate.ReplyRules;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.simulator.SimulatedLog;

/**
 * A server of {@link WriteCluster}: its log, the rules that ship, and the answers that it holds.
 */
final class WriteServer {
  static final long ENTRY_BYTES = 100;
  static final long WINDOW_BYTES = 4 * ENTRY_BYTES;
  private static final long WINDOW_NANOS = 1_000_000_000L;
  private static final int ANY_VERSION = -1;

  /** An answer that waits. */
  private record Held(WriteChange change, long needs) {}

  private final WriteCluster cluster;
  final int id;
  final SimulatedLog<WriteChange> log = new SimulatedLog<>();
  private final List<Held> held = new ArrayList<>();
  private UndurableChanges changes = new UndurableChanges();
  private UndurableWindow window;
  private ReplyRules rules;
  private int applied;
  private long durable;

  boolean up = true;

  /** Whether it follows the present leader, or leads. */
  boolean inSync;

  /** Grows with each loss of power. */
  int life;

  WriteServer(WriteCluster cluster, int id) {
    this.cluster = cluster;
    this.id = id;
  }

  long last() {
    return log.entries().isEmpty() ? 0 : log.entries().get(log.entries().size() - 1).index();
  }

  long persisted() {
    return log.forced() == 0 ? 0 : log.entries().get(log.forced() - 1).index();
  }

  boolean idle() {
    return held.isEmpty();
  }

  /** Loses what it has not forced, and what it has in memory. */
  void losePower() {
    up = false;
    inSync = false;
    life++;
    log.crash(cluster.sim);
    held.clear();
  }

  /** Makes its log that of the leader and forces it, as before NEWLEADER is acknowledged. */
  void synchronise(List<WriteChange> leaders) {
    log.truncate(0);
    leaders.forEach(log::append);
    log.force(leaders.size());
    held.clear();
    applied = leaders.size();
    durable = 0;
    changes = new UndurableChanges();
    changes.startFrom(last());
    window = new UndurableWindow(WINDOW_BYTES, WINDOW_NANOS, last());
    rules = new ReplyRules(settings(), changes, this::lastApplied);
    inSync = true;
  }

  private static OrcaSettings settings() {
    try {
      return OrcaSettings.from(new Properties());
    } catch (OrcaConfigException e) {
      throw new IllegalStateException(e);
    }
  }

  private long lastApplied() {
    return applied == 0 ? 0 : log.entries().get(applied - 1).index();
  }

  void append(WriteChange change) {
    log.append(change);
    window.onLogged(change.index(), ENTRY_BYTES, cluster.sim.nowNanos());
  }

  /** Executes the next entry of the log, and answers it if its session asked here. */
  void applyNext() {
    WriteChange change = log.entries().get(applied);
    // Asked before it is executed, as the last processor does.
    long needs = change.origin() == id ? needs(change) : 0;
    applied++;
    note(change);
    if (change.origin() != id) {
      return;
    }
    if (needs <= durable) {
      cluster.answer(change);
    } else {
      held.add(new Held(change, needs));
      cluster.demand(needs);
    }
  }

  private void note(WriteChange change) {
    if (change.failed()) {
      return;
    }
    long session = cluster.mutation == ReplyMutation.SESSIONS_CONFUSED ? 1 : change.session();
    String path = change.name() < 0 ? change.path() : change.path() + change.name();
    changes.onNodeChanged(path, change.index(), session);
    if (change.kind() != WriteChange.Kind.SET && change.kind() != WriteChange.Kind.SET_VERSIONED) {
      changes.onChildrenChanged(WriteCluster.PARENT, change.index(), session);
    }
  }

  private long needs(WriteChange change) {
    boolean sequential = change.kind() == WriteChange.Kind.CREATE_SEQUENTIAL;
    boolean versioned = change.kind() == WriteChange.Kind.SET_VERSIONED;
    long shown =
        switch (cluster.mutation) {
          case SEQUENTIAL_UNCONDITIONAL -> sequential ? 0 : shipping(change);
          case VERSIONED_UNCONDITIONAL ->
              versioned && !change.failed()
                  ? changes.indexOfOthers(change.path(), change.session())
                  : shipping(change);
          case OTHERS_UNGATED -> sequential || versioned || change.failed() ? shipping(change) : 0;
          case FAILURES_UNGATED -> change.failed() ? 0 : shipping(change);
          default -> shipping(change);
        };
    boolean open =
        cluster.mutation == ReplyMutation.WINDOW_IGNORED || window.isOpen(cluster.sim.nowNanos());
    return open ? shown : change.index();
  }

  private long shipping(WriteChange change) {
    try {
      return rules.shownByWrite(request(change));
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Request request(WriteChange change) {
    String path = change.path();
    byte[] data = {};
    return switch (change.kind()) {
      case SET -> request(change, OpCode.setData, new SetDataRequest(path, data, ANY_VERSION));
      case SET_VERSIONED -> request(change, OpCode.setData, new SetDataRequest(path, data, 7));
      case CREATE -> request(change, OpCode.create2, create(path, data, CreateMode.PERSISTENT));
      case CREATE_SEQUENTIAL ->
          request(change, OpCode.create2, create(path, data, CreateMode.PERSISTENT_SEQUENTIAL));
      case DELETE -> request(change, OpCode.delete, new DeleteRequest(path, ANY_VERSION));
    };
  }

  private static CreateRequest create(String path, byte[] data, CreateMode mode) {
    return new CreateRequest(path, data, Ids.OPEN_ACL_UNSAFE, mode.toFlag());
  }

  private Request request(WriteChange change, int opCode, Record body) {
    long session = cluster.mutation == ReplyMutation.SESSIONS_CONFUSED ? 1 : change.session();
    Request request =
        new Request(null, session, 1, opCode, RequestRecord.fromRecord(body), List.of());
    request.setHdr(
        new TxnHeader(session, 1, change.index(), 0, change.failed() ? OpCode.error : opCode));
    return request;
  }

  /** The leader says that everything up to {@code index} is durable. */
  void onDurable(long index) {
    durable = Math.max(durable, index);
    changes.onDurable(durable);
    window.onDurable(durable);
    for (Iterator<Held> all = held.iterator(); all.hasNext(); ) {
      Held each = all.next();
      if (each.needs() <= durable) {
        all.remove();
        cluster.answer(each.change());
      }
    }
  }
}
