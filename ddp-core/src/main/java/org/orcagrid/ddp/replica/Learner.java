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
package org.orcagrid.ddp.replica;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.ddp.model.Consistency;

/**
 * What a node that learns is told: it asks for some pages at a time, has each in its log, and takes
 * all of them over at once when the last one is there. A part of it may lack what has happened
 * before.
 *
 * <p>A transfer goes on in the next view as long as the one who tells serves there in the same
 * life; otherwise it begins again, and the pages of the one before it never count.
 */
final class Learner {
  /** Pages that are on their way or on their way into the log. */
  private static final int PAGES_AHEAD = 4;

  private final Replica replica;

  /** The view in which the transfer has begun. */
  private int transfer;

  /** Whether all tell each other. */
  private boolean together;

  /** Those who tell this node, by their number. */
  private final Map<Integer, Told> tellers = new HashMap<>();

  private static final class Told {
    private final int life;
    private int pages;
    private boolean ended;

    private Told(int life) {
      this.life = life;
    }
  }

  /** What this node had kept when it began, and the clocks of what others have. */
  private final Map<Key, Write> kept = new HashMap<>();

  private final Set<Long> known = new HashSet<>();

  /** What it was told, and what of that is in the log on its account. */
  private final List<ReplicaMessage.Known> taught = new ArrayList<>();

  private final List<Write> logged = new ArrayList<>();
  private long[] since;
  private long[] until;

  Learner(Replica replica) {
    this.replica = replica;
  }

  /** Whether what was begun may be ended in the present view. */
  boolean mayGoOn() {
    return !together
        && replica.view().serving() != 0
        && tellers.entrySet().stream()
            .allMatch(
                each ->
                    replica.view().serves(each.getKey())
                        && replica.view().incarnations().get(each.getKey())
                            == each.getValue().life);
  }

  /** Whether everybody tells everybody, and nobody knows what is valid. */
  boolean isTogether() {
    return together;
  }

  /**
   * Begins. What this node has got so far it has kept, or had from somebody who may be gone and
   * have lost it: what is known of it, those say who serve now.
   */
  void begin() {
    ReplicaView view = replica.view();
    transfer = view.number();
    together = view.serving() == 0;
    since = new long[replica.nodes()];
    until = new long[replica.nodes()];
    known.clear();
    taught.clear();
    logged.clear();
    kept.clear();
    for (Entry entry : replica.entries()) {
      if (entry.write() != null) {
        kept.put(entry.key(), entry.write());
        entry.doubt();
      }
    }
    tellers.clear();
    for (int node = 0; node < replica.nodes(); node++) {
      boolean tells = together ? view.has(node) && node != replica.self() : node == view.teacher();
      if (tells) {
        tellers.put(node, new Told(view.incarnations().get(node)));
      }
    }
  }

  /** Asks for the first pages. */
  void ask() {
    tellers.keySet().forEach(node -> ask(node, PAGES_AHEAD));
  }

  private void ask(int node, int pages) {
    replica.send(node, new ReplicaMessage.StateAsk(transfer, pages));
  }

  void onState(int from, ReplicaMessage.State page) {
    Told told = tellers.get(from);
    ReplicaRule rule = together ? ReplicaRule.RECOVER_TOGETHER : ReplicaRule.CATCH_UP;
    if (told == null || told.ended || page.transfer() != transfer) {
      return;
    }
    List<Write> fresh = new ArrayList<>();
    if (replica.keeps(rule)) {
      taught.addAll(page.versions());
      fresh.addAll(replica.persistency().isByScope() ? freshScoped(page) : fresh(page));
    }
    int next = ++told.pages + PAGES_AHEAD;
    if (fresh.isEmpty()) {
      ask(from, next);
      return;
    }
    logged.addAll(fresh);
    int of = transfer;
    replica
        .journal()
        .persist(
            new LogRecord.Learned(transfer, List.copyOf(fresh)),
            () -> {
              if (of == transfer && tellers.get(from) == told) {
                ask(from, next);
              }
            });
  }

  /** What is not in the log yet, whatever becomes of it there. */
  private List<Write> fresh(ReplicaMessage.State page) {
    List<Write> fresh = new ArrayList<>();
    for (ReplicaMessage.Known each : page.versions()) {
      Entry entry = replica.state().find(each.write().key());
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
      Entry entry = replica.state().find(each.key());
      if (entry == null || entry.scoped() == null || entry.scoped().clock() < each.clock()) {
        fresh.add(each);
      }
    }
    return fresh;
  }

  void onEnd(int from, ReplicaMessage.StateEnd end) {
    Told told = tellers.get(from);
    if (told == null || told.ended || end.transfer() != transfer) {
      return;
    }
    told.ended = true;
    replica.learn(end.clock());
    replica.forgot(end.forgotten());
    for (int node = 0; node < until.length; node++) {
      since[node] = Math.max(since[node], end.since()[node]);
      until[node] = Math.max(until[node], end.visible()[node]);
    }
  }

  boolean isToldAll() {
    return tellers.values().stream().allMatch(told -> told.ended);
  }

  /** Up to where the updates of each node are in what it was told. */
  long[] since() {
    return since;
  }

  /** Up to where some may be. */
  long[] until() {
    return until;
  }

  /**
   * Takes over what it was told, all at once, in memory and in the log.
   *
   * @param adoption the view in which this node gave up what it had, 0 if it did not
   * @param durable what is to be done when it is durable
   */
  void takeOver(int adoption, Runnable durable) {
    taught.forEach(this::takeOver);
    taught.clear();
    int of = transfer;
    replica
        .journal()
        .persist(
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
    replica.learn(write.clock());
    known.add(write.clock());
    Entry entry = replica.entry(write.key());
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
      replica.entry(write.key()).persisted(write.clock());
      replica.entry(write.key()).scoped(write);
    }
    logged.clear();
  }

  /** Whether what only this node has kept cannot have been shown, and is not wanted any more. */
  boolean adopts() {
    return replica.model().consistency() == Consistency.TRANSACTIONAL;
  }

  /** What only this node has: it was durable here, and may have been shown to somebody. */
  List<Write> keptAlone() {
    List<Write> alone = new ArrayList<>();
    for (Write write : kept.values()) {
      if (replica.entry(write.key()).clock() == write.clock() && !known.contains(write.clock())) {
        alone.add(write);
      }
    }
    kept.clear();
    known.clear();
    return alone;
  }
}
