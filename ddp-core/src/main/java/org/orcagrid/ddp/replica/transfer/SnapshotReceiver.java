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
package org.orcagrid.ddp.replica.transfer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Links;
import org.orcagrid.ddp.replica.wire.PacketCodec;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;
import org.orcagrid.ddp.transfer.Inflow;
import org.orcagrid.ddp.transfer.Intake;
import org.orcagrid.ddp.transfer.TransferHost;

/**
 * Receives what a node catches up with: asks for some pages at a time, has each in its log, and
 * takes all of them over at once when the last one is there. A part of it may lack what has
 * happened before.
 *
 * <p>A transfer goes on in the next view as long as its source serves there in the same life;
 * otherwise it begins again, and the pages of the one before it never count.
 */
final class SnapshotReceiver {
  /** Four pages are on their way or on their way into the log; a link loses none. */
  private static final Intake.Terms TERMS = Intake.Terms.reliable(4);

  private final ReplicaState state;
  private final Links links;
  private final Journal journal;
  private final TransferHost host;

  /** The view in which the transfer has begun. */
  private int transfer;

  /** Whether all send to each other. */
  private boolean together;

  /** Those who send to this node. */
  private Intake intake;

  /** The clocks of what this node had kept when it began, but for what others have. */
  private final Map<Key, Long> kept = new HashMap<>();

  /** What it has received, and what of that is in the log on its account. */
  private final List<ReplicaMessage.Known> received = new ArrayList<>();

  private final List<Write> logged = new ArrayList<>();
  private long[] since;
  private long[] until;

  SnapshotReceiver(ReplicaState state, Links links, Journal journal, TransferHost host) {
    this.state = state;
    this.links = links;
    this.journal = journal;
    this.host = host;
  }

  /** Whether what was begun may be ended in the present view. */
  boolean mayGoOn() {
    ReplicaView view = state.view();
    return !together
        && view.serving() != 0
        && intake.changed(node -> view.serves(node) ? view.incarnations().get(node) : 0) == 0;
  }

  /** Whether all members send to each other, and nobody knows what is valid. */
  boolean isTogether() {
    return together;
  }

  /**
   * Begins. What this node has got so far it has kept, or had from somebody who may be gone and
   * have lost it: what is known of it, those say who serve now.
   */
  void begin() {
    ReplicaView view = state.view();
    transfer = view.number();
    together = view.serving() == 0;
    since = new long[state.nodes()];
    until = new long[state.nodes()];
    received.clear();
    logged.clear();
    kept.clear();
    for (Entry entry : state.entries().all()) {
      if (entry.hasVersion()) {
        kept.put(entry.key(), entry.clock());
        entry.doubt();
      }
    }
    intake = new Intake(state.nodes(), TERMS);
    int sources =
        together ? view.members() & ~Quorum.of(state.self()) : Quorum.of(view.snapshotSource());
    intake.need(Integer.bitCount(sources));
    for (int node = 0; node < state.nodes(); node++) {
      if ((sources & Quorum.of(node)) != 0) {
        intake.begin(node, view.incarnations().get(node));
      }
    }
    host.progressed(intake.progress());
  }

  /** Asks for as many pages as there is room for. */
  void ask() {
    // Links lose nothing, so that no time passes here.
    intake.poll(
        0,
        node -> {
          intake.of(node).ask(transfer, 0);
          links.send(node, new ReplicaMessage.StateAsk(transfer, intake.of(node).asked()));
        });
  }

  /** What a node sends; null if it is not of this transfer. */
  private Inflow inflow(int from, int ofTransfer) {
    Inflow inflow = intake.of(from);
    return inflow != null && inflow.isOf(ofTransfer) ? inflow : null;
  }

  void onState(int from, ReplicaMessage.State page) {
    Inflow inflow = inflow(from, page.transfer());
    if (inflow == null) {
      return;
    }
    ReplicaRule rule = together ? ReplicaRule.RECOVER_TOGETHER : ReplicaRule.CATCH_UP;
    List<Write> fresh = new ArrayList<>();
    if (state.keeps(rule)) {
      received.addAll(page.versions());
      fresh.addAll(state.persistency().isByScope() ? freshScoped(page) : fresh(page));
    }
    inflow.expect(page.entriesThere());
    if (fresh.isEmpty()) {
      take(inflow, page);
      return;
    }
    logged.addAll(fresh);
    journal.persist(
        new LogRecord.Learned(transfer, List.copyOf(fresh)),
        () -> {
          if (intake.of(from) == inflow) {
            take(inflow, page);
          }
        });
  }

  private void take(Inflow inflow, ReplicaMessage.State page) {
    inflow.take(page.entries(), PacketCodec.bytes(page), 0);
    host.progressed(intake.progress());
    ask();
  }

  /** What is not in the log yet, whatever becomes of it there. */
  private List<Write> fresh(ReplicaMessage.State page) {
    List<Write> fresh = new ArrayList<>();
    for (ReplicaMessage.Known each : page.versions()) {
      Entry entry = state.entries().find(each.write().key());
      // What is adopted is in the log once more, whatever was there before.
      if (adopts() || entry == null || entry.clock() < each.write().clock()) {
        fresh.add(each.write());
      }
    }
    return fresh;
  }

  private List<Write> freshScoped(ReplicaMessage.State page) {
    List<Write> fresh = new ArrayList<>();
    for (Write each : page.scoped()) {
      Entry entry = state.entries().find(each.key());
      if (entry == null || entry.scopedClock() < each.clock()) {
        fresh.add(each);
      }
    }
    return fresh;
  }

  void onEnd(int from, ReplicaMessage.StateEnd end) {
    Inflow inflow = inflow(from, end.transfer());
    if (inflow == null) {
      return;
    }
    inflow.end();
    host.progressed(intake.progress());
    state.learn(end.clock());
    state.forgot(end.forgotten());
    for (int node = 0; node < until.length; node++) {
      since[node] = Math.max(since[node], end.since()[node]);
      until[node] = Math.max(until[node], end.visible()[node]);
    }
  }

  boolean hasAll() {
    return intake.isWhole();
  }

  /** Up to where the updates of each node are in what it has received. */
  long[] since() {
    return since;
  }

  /** Up to where some may be. */
  long[] until() {
    return until;
  }

  /**
   * Takes over what it has received, all at once, in memory and in the log.
   *
   * @param adoption the view in which this node gave up what it had, 0 if it did not
   * @param durable what is to be done when it is durable
   */
  void takeOver(int adoption, Runnable durable) {
    received.forEach(this::takeOver);
    received.clear();
    int of = transfer;
    journal.persist(
        new LogRecord.AdoptionEnd(adoption, transfer),
        () -> {
          if (of == transfer) {
            markLogged();
            durable.run();
          }
        });
  }

  private void takeOver(ReplicaMessage.Known version) {
    Write write = version.write();
    state.learn(write.clock());
    // By key, too: the versions of a batch have one clock, and others may have a part replaced.
    kept.remove(write.key(), write.clock());
    Entry entry = state.entry(write.key());
    entry.set(write);
    if (!together) {
      if ((version.what() & ReplicaMessage.CONSISTENCY) != 0) {
        entry.valid(write.clock());
      }
      if ((version.what() & ReplicaMessage.PERSISTENCY) != 0) {
        entry.durable(write.clock());
      }
    }
  }

  private void markLogged() {
    for (Write write : logged) {
      state.entry(write.key()).persisted(write.clock());
      state.entry(write.key()).scoped(write);
    }
    logged.clear();
  }

  /** Whether nothing that it has received waits for the log. */
  boolean isDurable() {
    return logged.isEmpty();
  }

  /** Whether what only this node has kept cannot have been shown, and is not wanted any more. */
  boolean adopts() {
    return state.model().consistency() == Consistency.TRANSACTIONAL;
  }

  /** What only this node has: it was durable here, and may have been shown to somebody. */
  List<Write> keptAlone() {
    List<Write> alone = new ArrayList<>();
    kept.forEach(
        (key, clock) -> {
          Entry entry = state.entry(key);
          if (entry.clock() == clock) {
            alone.add(entry.write());
          }
        });
    kept.clear();
    return alone;
  }
}
