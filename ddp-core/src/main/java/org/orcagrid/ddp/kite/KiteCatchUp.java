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
package org.orcagrid.ddp.kite;

import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.paxos.Acceptor;
import org.orcagrid.ddp.paxos.Command;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Inflow;
import org.orcagrid.ddp.transfer.Intake;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/**
 * How a node that has joined learns what its predecessor had acknowledged: from so many others that
 * at least one of them is in every majority that the predecessor was in. It takes the latest of
 * each version, promise, command and delinquency bit. The paper has no such thing: its nodes crash
 * for good (section 2.1).
 *
 * <p>A node that serves does the same while a place leaves the grid: it learns what any majority
 * had acknowledged when that place still counted.
 *
 * <p>Pages are asked for one by one of each node, and asked for again, smaller, when something of
 * them is lost. Taking one twice does no harm.
 */
final class KiteCatchUp {
  private final WorkerContext context;
  private final ReplicaStore store;
  private final Acceptor acceptor;
  private final Command command = new Command();
  private final Intake intake;

  /** What arrives from each node; null for those that are not asked. */
  private final Page[] pages;

  /** The messages of a page that has not come as a whole, and what counts when all have. */
  private static final class Page {
    /** Those that have arrived, by their numbers. */
    private long arrived;

    private int messages;
    private long next;
    private int keys;
    private long bytes;

    /**
     * The last committed command of each session. Not used before all keys of this node are known:
     * a node that knew a command to be committed and not the log that it is in would keep others
     * from finishing that log.
     */
    private final long[] commands;

    private Page(int sessions) {
      this.commands = new long[sessions];
    }

    private void begin() {
      arrived = 0;
      messages = -1;
      keys = 0;
      bytes = 0;
    }

    private boolean isWhole() {
      return Long.bitCount(arrived) == messages;
    }
  }

  private KiteCatchUp(WorkerContext context, Acceptor acceptor) {
    KiteSettings settings = context.settings;
    this.context = context;
    this.store = context.store;
    this.acceptor = acceptor;
    this.pages = new Page[settings.nodes()];
    this.intake =
        new Intake(
            settings.nodes(),
            Intake.Terms.lossy(StateSource.KEYS_MAX, settings.times().resendNanos()));
  }

  /** Of a node that has joined, unless that serves already. */
  static KiteCatchUp ofNew(WorkerContext context, Acceptor acceptor) {
    KiteCatchUp made = new KiteCatchUp(context, acceptor);
    KiteView view = context.entered();
    // So many of the others that one of them is in every majority that this node's place was in,
    // and in every one of the view before, if it had a place less or more. Where there was nobody,
    // nothing was acknowledged.
    made.needFrom(view, view.parts());
    made.needFrom(view, view.counted());
    if (!context.node.isServing() && context.worker == 0) {
      made.ask(view, view.parts());
      context.node.progressed(made.intake.progress());
    }
    return made;
  }

  private void needFrom(KiteView view, int places) {
    int size = Integer.bitCount(places | context.selfMask);
    intake.need(places, size - size / 2 - Integer.bitCount(view.vacant() & places));
  }

  /**
   * Of a node that serves in a view in which a place leaves. So many of those that stay are asked
   * that, with this node, they meet each majority of before less the place that leaves.
   */
  static KiteCatchUp ofServing(WorkerContext context, Acceptor acceptor) {
    KiteCatchUp made = new KiteCatchUp(context, acceptor);
    KiteView view = context.entered();
    int size = Integer.bitCount(view.parts());
    int others = view.counted() & ~context.selfMask;
    made.intake.need(others, size - 1 - size / 2 - Integer.bitCount(view.vacant() & others));
    made.ask(view, others);
    return made;
  }

  private void ask(KiteView view, int places) {
    int others = places & ~view.vacant() & ~context.selfMask;
    for (int left = others; left != 0; left &= left - 1) {
      begin(Integer.numberOfTrailingZeros(left), view);
    }
  }

  /** Other nodes are at some places: what was told half is begun anew. */
  void onView(KiteView view) {
    int changed = intake.changed(view.joined()::get);
    for (int node = 0; node < pages.length; node++) {
      if ((changed & Quorum.of(node)) != 0 && !intake.of(node).isEnded()) {
        if (view.joined().get(node) == 0) {
          intake.drop(node);
        } else {
          begin(node, view);
        }
      }
    }
  }

  private void begin(int node, KiteView view) {
    intake.begin(node, view.joined().get(node));
    pages[node] = new Page(context.settings.globalSessions());
  }

  /** Asks for what is missing; whether nothing is. */
  boolean poll() {
    if (intake.isWhole()) {
      return true;
    }
    intake.poll(context.now(), this::ask);
    return false;
  }

  private void ask(int node) {
    Inflow inflow = intake.of(node);
    long attempt = context.nextOperation();
    inflow.ask(attempt, context.now());
    pages[node].begin();
    Message m = context.message(node, MessageType.STATE_REQUEST, 0, Message.NO_VALUE);
    if (m != null) {
      m.id(attempt).count(inflow.size()).clock(inflow.cursor());
    }
  }

  /** Part of a page. */
  void onState(int from, Message m) {
    Inflow inflow = intake.of(from);
    if (inflow == null || !inflow.isOf(m.id())) {
      return;
    }
    Page page = pages[from];
    if (m.type() == MessageType.STATE_END) {
      context.node.delinquency().onLearned((int) m.rmw() & context.settings.all());
      page.messages = m.count();
      page.next = m.clock();
      inflow.expect(m.log());
    } else if (m.count() < Long.SIZE && (page.arrived & 1L << m.count()) == 0 && isTaken(page, m)) {
      page.arrived |= 1L << m.count();
      page.keys += m.type() == MessageType.STATE_VERSION ? 1 : 0;
      page.bytes += m.bytes();
    }
    if (page.isWhole()) {
      onPage(inflow, page);
    }
  }

  private void onPage(Inflow inflow, Page page) {
    inflow.take(page.keys, page.bytes, page.next);
    if (page.next == StateSource.END) {
      for (int session = 0; session < page.commands.length; session++) {
        if (page.commands[session] != 0) {
          context.node.committed().add(session, page.commands[session]);
        }
      }
      inflow.end();
    }
    if (!context.node.isServing()) {
      context.node.progressed(intake.progress());
    }
  }

  private boolean isTaken(Page page, Message m) {
    if (m.type() == MessageType.STATE_COMMAND) {
      page.commands[m.commandSession()] = m.commandId();
      return true;
    }
    long hash = KeyHash.hash(m.buffer(), m.keyAt(), m.keyLength());
    long record = store.findOrCreate(m.buffer(), m.keyAt(), m.keyLength(), hash);
    if (record == ReplicaStore.NONE) {
      context.refuse();
      return false;
    }
    store.lock(record);
    try {
      boolean taken =
          m.type() == MessageType.STATE_VERSION ? takeVersion(record, m) : takeAccepted(record, m);
      if (!taken) {
        context.refuse();
      }
      return taken;
    } finally {
      store.unlock(record);
    }
  }

  private boolean takeVersion(long record, Message m) {
    if (!store.setIfLater(record, m.clock(), m.rmw(), m.buffer(), m.valueAt(), m.valueLength())) {
      return false;
    }
    if (m.log() == 0 && m.ballot() == 0) {
      return true;
    }
    if (!acceptor.turnTo(record)) {
      return false;
    }
    if (m.log() > acceptor.lastLog()) {
      acceptor.onCommit(m.log(), m.commandSession(), m.commandId());
    }
    acceptor.adoptPromise(m.log(), m.ballot());
    return true;
  }

  private boolean takeAccepted(long record, Message m) {
    WorkerContext.read(m, command);
    return acceptor.turnTo(record) && acceptor.adoptAccepted(m.log(), m.ballot(), command);
  }
}
