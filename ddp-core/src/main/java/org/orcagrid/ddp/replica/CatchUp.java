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
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Persistency;

/**
 * How a node becomes a member that serves: it learns what those who serve have, while they go on;
 * or, where nobody serves since all have crashed, all tell each other what they have kept, and the
 * latest version of each key counts (DDP, section 9, asks for a recovery by voting and leaves it
 * open).
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>a node serves only when every member has installed its view, and what a coordinator had
 *       under way then was sent to those that have joined: {@link ReplicaMessage.Hello} follows on
 *       the same link;
 *   <li>what was learned is as durable here as the model wants it before this node serves.
 * </ol>
 */
final class CatchUp {
  /** What was missed is logged in records of so many bytes, or of one version. */
  private static final int BATCH_BYTES_MAX = 64 * 1024;

  private static final int VERSIONS_OF_A_MESSAGE = 64;

  private final Replica replica;
  private final Protocol protocol;

  /** Members that have said hello in this view, and those that have told all they have. */
  private int hellos;

  private int told;
  private int recovered;

  /** The view in which this node has what all have. */
  private int recoveredHere;

  /** The view in which this node gave up what it had, 0 if it did not. */
  private int adoption;

  private boolean settled;
  private boolean learning;
  private long[] visible;

  /** What this node had kept when it came back, and what of that others have as well. */
  private final Map<Key, Write> kept = new HashMap<>();

  private final Set<Long> known = new HashSet<>();

  /** What this node was told, until it was told all: a part of it may lack what happened before. */
  private final List<ReplicaMessage.Known> taught = new ArrayList<>();

  private final List<Write> taughtScoped = new ArrayList<>();

  CatchUp(Replica replica, Protocol protocol) {
    this.replica = replica;
    this.protocol = protocol;
  }

  /** Whether all members have said what they had to say of the view. */
  boolean isViewSettled() {
    return settled;
  }

  void onView(int joined) {
    ReplicaView view = replica.view();
    hellos = Quorum.of(replica.self());
    told = Quorum.of(replica.self());
    recovered = 0;
    settled = false;
    visible = new long[replica.nodes()];
    learning = !view.serves(replica.self());
    if (learning) {
      beginToLearn();
    }
    protocol.onView(joined);
    replica.scopes().onView(joined);
    if (learning && view.serving() != 0 && adopts() && adoption == 0) {
      beginToAdopt();
    }
    for (int node = 0; node < replica.nodes(); node++) {
      if (teaches(node)) {
        teach(node);
      }
    }
    replica.broadcast(new ReplicaMessage.Hello(view.number()));
    goOn();
  }

  /**
   * What this node has got so far it has kept, or had from somebody who may be gone and have lost
   * it: what is known of it, those say who serve now.
   */
  private void beginToLearn() {
    kept.clear();
    known.clear();
    taught.clear();
    taughtScoped.clear();
    for (Entry entry : replica.entries()) {
      if (entry.write() != null) {
        kept.put(entry.key(), entry.write());
        entry.doubt();
      }
    }
  }

  /** Whether what only this node has kept cannot have been shown, and is not wanted any more. */
  private boolean adopts() {
    return replica.model().consistency() == Consistency.TRANSACTIONAL;
  }

  /** Gives up what this node had before this life; once, since what comes afterwards counts. */
  private void beginToAdopt() {
    adoption = replica.view().number();
    replica.forgetEntries();
    if (!replica.persistency().isByScope()) {
      // Scopes hold nothing that was not visible: what is in the log of them stays.
      replica.journal().persistLater(new LogRecord.AdoptionBegin(adoption));
    }
  }

  /** Where somebody serves, one of those teaches the others; where nobody does, everybody does. */
  private boolean teaches(int node) {
    ReplicaView view = replica.view();
    boolean teacher = view.serving() == 0 || view.teacher() == replica.self();
    return teacher && view.has(node) && node != replica.self() && !view.serves(node);
  }

  private void teach(int learner) {
    int number = replica.view().number();
    List<ReplicaMessage.Known> versions = new ArrayList<>();
    List<Write> scoped = new ArrayList<>();
    for (Entry entry : replica.entries()) {
      if (entry.write() != null) {
        versions.add(
            new ReplicaMessage.Known(
                entry.write(),
                (entry.isValid() ? ReplicaMessage.CONSISTENCY : 0)
                    | (entry.isDurable() ? ReplicaMessage.PERSISTENCY : 0)));
      }
      if (replica.persistency().isByScope() && entry.scoped() != null) {
        scoped.add(entry.scoped());
      }
      if (versions.size() == VERSIONS_OF_A_MESSAGE) {
        replica.send(
            learner, new ReplicaMessage.State(number, List.copyOf(versions), List.copyOf(scoped)));
        versions.clear();
        scoped.clear();
      }
    }
    replica.send(
        learner, new ReplicaMessage.State(number, List.copyOf(versions), List.copyOf(scoped)));
    protocol.teach(learner);
    replica.send(learner, new ReplicaMessage.StateEnd(number, protocol.visible().clone()));
  }

  boolean onMessage(int from, ReplicaMessage message) {
    if (message instanceof ReplicaMessage.Hello hello) {
      if (hello.view() == replica.view().number()) {
        hellos |= Quorum.of(from);
        goOn();
      }
    } else if (message instanceof ReplicaMessage.State state) {
      ReplicaRule rule =
          replica.view().serving() == 0 ? ReplicaRule.RECOVER_TOGETHER : ReplicaRule.CATCH_UP;
      if (state.view() == replica.view().number() && learning && replica.keeps(rule)) {
        taught.addAll(state.versions());
        taughtScoped.addAll(state.scoped());
      }
    } else if (message instanceof ReplicaMessage.StateEnd end) {
      if (end.view() == replica.view().number() && learning) {
        told |= Quorum.of(from);
        for (int node = 0; node < visible.length; node++) {
          visible[node] = Math.max(visible[node], end.visible()[node]);
        }
        goOn();
      }
    } else if (message instanceof ReplicaMessage.Recovered all) {
      if (all.view() == replica.view().number()) {
        recovered |= Quorum.of(from);
        goOn();
      }
    } else {
      return false;
    }
    return true;
  }

  /** Takes over what it was told, all at once, in memory and on the medium. */
  private void learnAll() {
    List<Write> logged = new ArrayList<>();
    for (ReplicaMessage.Known each : taught) {
      // What is adopted is in the log once more, whatever was there before.
      if (learn(each) || adopts()) {
        logged.add(each.write());
      }
    }
    Persistency persistency = replica.persistency();
    if (persistency.isByScope()) {
      persist(taughtScoped);
    } else if (persistency.isBeforeVisible() || persistency.isBeforeRead()) {
      persist(logged);
    } else {
      batches(logged).forEach(each -> replica.journal().persistLater(each));
    }
    taught.clear();
    taughtScoped.clear();
  }

  /** Whether a version is new here. */
  private boolean learn(ReplicaMessage.Known version) {
    Write write = version.write();
    replica.learn(write.clock());
    known.add(write.clock());
    Entry entry = replica.entry(write.key());
    boolean isNew = entry.set(write);
    if (replica.view().serving() != 0) {
      if ((version.what() & ReplicaMessage.CONSISTENCY) != 0) {
        entry.valid(write.clock());
      }
      if ((version.what() & ReplicaMessage.PERSISTENCY) != 0) {
        entry.durable(write.clock());
      }
    }
    return isNew;
  }

  private void persist(List<Write> writes) {
    if (writes.isEmpty()) {
      return;
    }
    List<Write> all = List.copyOf(writes);
    List<LogRecord.Batch> batches = batches(all);
    int last = batches.size() - 1;
    batches.subList(0, last).forEach(each -> replica.journal().persistLater(each));
    replica
        .journal()
        .persist(
            batches.get(last),
            () -> {
              for (Write write : all) {
                replica.entry(write.key()).persisted(write.clock());
                replica.entry(write.key()).scoped(write);
              }
            });
  }

  /**
   * In records that a medium takes. Whoever dies between two of them has not caught up: nobody
   * counts on what it has, and it learns all again.
   */
  private static List<LogRecord.Batch> batches(List<Write> writes) {
    List<LogRecord.Batch> batches = new ArrayList<>();
    int from = 0;
    int bytes = 0;
    for (int i = 0; i < writes.size(); i++) {
      int more = Encoding.bytes(writes.get(i));
      if (i > from && bytes + more > BATCH_BYTES_MAX) {
        batches.add(new LogRecord.Batch(List.copyOf(writes.subList(from, i))));
        from = i;
        bytes = 0;
      }
      bytes += more;
    }
    if (from < writes.size()) {
      batches.add(new LogRecord.Batch(List.copyOf(writes.subList(from, writes.size()))));
    }
    return batches;
  }

  private void goOn() {
    int members = replica.members();
    boolean all = (members & ~hellos) == 0 || !replica.keeps(ReplicaRule.HELLO_FIRST);
    if (all && !settled) {
      settled = true;
      protocol.onViewSettled();
      replica.goOn();
    }
    if (!learning || !all) {
      return;
    }
    if (replica.view().serving() == 0) {
      recoverTogether(members);
    } else if ((told & Quorum.of(replica.view().teacher())) != 0) {
      learning = false;
      learnAll();
      whenDurable(
          () -> {
            protocol.onLearned(visible);
            if (replica.keeps(ReplicaRule.TELL_WHAT_WAS_KEPT)) {
              protocol.onKept(adopts() ? List.of() : keptAlone());
            }
            replica.caughtUp();
          });
    }
  }

  private void recoverTogether(int members) {
    if ((members & ~told) != 0) {
      return;
    }
    if ((recovered & Quorum.of(replica.self())) == 0) {
      recovered |= Quorum.of(replica.self());
      learnAll();
      int number = replica.view().number();
      whenDurable(
          () -> {
            if (replica.view().number() == number) {
              replica.broadcast(new ReplicaMessage.Recovered(number));
              recoveredHere = number;
              goOn();
            }
          });
    }
    if ((members & ~recovered) == 0 && recoveredHere == replica.view().number()) {
      learning = false;
      for (Entry entry : replica.entries()) {
        entry.valid(entry.clock());
        entry.durable(entry.clock());
      }
      protocol.onLearned(visible);
      replica.caughtUp();
    }
  }

  private void whenDurable(Runnable then) {
    int number = replica.view().number();
    // Whatever was learned is before it in the log.
    replica
        .journal()
        .persist(
            new LogRecord.AdoptionEnd(adoption == 0 ? number : adoption),
            () -> {
              if (replica.view().number() == number) {
                then.run();
              }
            });
  }

  /** What only this node has: it was durable here, and may have been shown to somebody. */
  private List<Write> keptAlone() {
    List<Write> alone = new ArrayList<>();
    for (Write write : kept.values()) {
      if (replica.entry(write.key()).clock() == write.clock() && !known.contains(write.clock())) {
        alone.add(write);
      }
    }
    return alone;
  }
}
