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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import org.orcagrid.ddp.replica.wire.ReplicaMessage;

/**
 * Receives what a node catches up with: asks for some pages at a time, has each in its log, and
 * takes all of them over at once when the last one is there. A part of it may lack what has
 * happened before.
 *
 * <p>A transfer goes on in the next view as long as its source serves there in the same life;
 * otherwise it begins again, and the pages of the one before it never count.
 */
final class SnapshotReceiver {
  /** Pages that are on their way or on their way into the log. */
  private static final int PAGES_AHEAD = 4;

  private final ReplicaState state;
  private final Links links;
  private final Journal journal;

  /** The view in which the transfer has begun. */
  private int transfer;

  /** Whether all send to each other. */
  private boolean together;

  /** Those who send to this node, by their number. */
  private final Map<Integer, Source> sources = new HashMap<>();

  private static final class Source {
    private final int life;
    private int pages;
    private boolean ended;

    private Source(int life) {
      this.life = life;
    }
  }

  /** The clocks of what this node had kept when it began, and of what others have. */
  private final Map<Key, Long> kept = new HashMap<>();

  private final Set<Long> known = new HashSet<>();

  /** What it has received, and what of that is in the log on its account. */
  private final List<ReplicaMessage.Known> received = new ArrayList<>();

  private final List<Write> logged = new ArrayList<>();
  private long[] since;
  private long[] until;

  SnapshotReceiver(ReplicaState state, Links links, Journal journal) {
    this.state = state;
    this.links = links;
    this.journal = journal;
  }

  /** Whether what was begun may be ended in the present view. */
  boolean mayGoOn() {
    return !together
        && state.view().serving() != 0
        && sources.entrySet().stream()
            .allMatch(
                each ->
                    state.view().serves(each.getKey())
                        && state.view().incarnations().get(each.getKey()) == each.getValue().life);
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
    known.clear();
    received.clear();
    logged.clear();
    kept.clear();
    for (Entry entry : state.entries().all()) {
      if (entry.hasVersion()) {
        kept.put(entry.key(), entry.clock());
        entry.doubt();
      }
    }
    sources.clear();
    for (int node = 0; node < state.nodes(); node++) {
      boolean sends =
          together ? view.has(node) && node != state.self() : node == view.snapshotSource();
      if (sends) {
        sources.put(node, new Source(view.incarnations().get(node)));
      }
    }
  }

  /** Asks for the first pages. */
  void ask() {
    sources.keySet().forEach(node -> ask(node, PAGES_AHEAD));
  }

  private void ask(int node, int pages) {
    links.send(node, new ReplicaMessage.StateAsk(transfer, pages));
  }

  void onState(int from, ReplicaMessage.State page) {
    Source source = sources.get(from);
    ReplicaRule rule = together ? ReplicaRule.RECOVER_TOGETHER : ReplicaRule.CATCH_UP;
    if (source == null || source.ended || page.transfer() != transfer) {
      return;
    }
    List<Write> fresh = new ArrayList<>();
    if (state.keeps(rule)) {
      received.addAll(page.versions());
      fresh.addAll(state.persistency().isByScope() ? freshScoped(page) : fresh(page));
    }
    int next = ++source.pages + PAGES_AHEAD;
    if (fresh.isEmpty()) {
      ask(from, next);
      return;
    }
    logged.addAll(fresh);
    int of = transfer;
    journal.persist(
        new LogRecord.Learned(transfer, List.copyOf(fresh)),
        () -> {
          if (of == transfer && sources.get(from) == source) {
            ask(from, next);
          }
        });
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
    Source source = sources.get(from);
    if (source == null || source.ended || end.transfer() != transfer) {
      return;
    }
    source.ended = true;
    state.learn(end.clock());
    state.forgot(end.forgotten());
    for (int node = 0; node < until.length; node++) {
      since[node] = Math.max(since[node], end.since()[node]);
      until[node] = Math.max(until[node], end.visible()[node]);
    }
  }

  boolean hasAll() {
    return sources.values().stream().allMatch(source -> source.ended);
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
    known.add(write.clock());
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
          if (entry.clock() == clock && !known.contains(clock)) {
            alone.add(entry.write());
          }
        });
    kept.clear();
    known.clear();
    return alone;
  }
}
