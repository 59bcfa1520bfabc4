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
package org.orcagrid.ddp.replica.state;

import java.util.EnumSet;
import java.util.Set;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.NumberBound;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.store.DirectMemory;

/**
 * What all parts of a replica look at: its settings and rules, the view, its entries, and the
 * clocks that it has seen.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>views come one after the other, and this node is a member of each;
 *   <li>{@link #highestClock} is not before the clock of any version here, nor before {@link
 *       #forgottenClock}.
 * </ol>
 */
public final class ReplicaState {
  private final ReplicaSettings settings;
  private final EnumSet<ReplicaRule> rules;
  private final Entries entries;
  private final LocalReads localReads;

  private ReplicaView view;

  /** Its members, and whether this node serves in it: both are asked for with each message. */
  private int members;

  private boolean serves;

  /** The number of the newest view that this node was told of. */
  private int told;

  private int incarnation;
  private boolean viewSettled;
  private final NumberBound bound = NumberBound.ofVersions();
  private long highestClock;
  private long forgottenClock;

  /** The same, of a replica that shares direct memory with nobody. */
  public ReplicaState(ReplicaSettings settings, Set<ReplicaRule> rules) {
    this(settings, rules, new DirectMemory(() -> {}));
  }

  /** The state of a replica that has nothing yet. */
  public ReplicaState(ReplicaSettings settings, Set<ReplicaRule> rules, DirectMemory direct) {
    this.settings = settings;
    this.rules = EnumSet.copyOf(rules);
    this.entries = new Entries(settings.model().persistency(), direct);
    this.localReads = new LocalReads(entries, settings, this.rules);
  }

  // --- what does not change ----------------------------------------------------------------------

  /** What the replica knows from the beginning. */
  public ReplicaSettings settings() {
    return settings;
  }

  /** The model of the map. */
  public Ddp model() {
    return settings.model();
  }

  /** The model's persistency. */
  public Persistency persistency() {
    return settings.model().persistency();
  }

  /** This node. */
  public int self() {
    return settings.self();
  }

  /** How many nodes there are. */
  public int nodes() {
    return settings.nodes();
  }

  /** Whether a rule is kept, as all are in production. */
  public boolean keeps(ReplicaRule rule) {
    return rules.contains(rule);
  }

  // --- the view ----------------------------------------------------------------------------------

  /**
   * Installs the next view, unless it says nothing new to replicas: then the one before stays, at
   * all nodes. So nobody waits for hellos, and no packet for its receiver to be in that view.
   *
   * @return whether it is installed
   */
  public boolean onView(ReplicaView next) {
    Invariant.check(
        view == null || next.number() == told + 1, "a node is told of every view while it lives");
    told = next.number();
    if (view != null && view.goesOnIn(next)) {
      return false;
    }
    view = next;
    members = next.members();
    serves = next.serves(self());
    incarnation = next.incarnations().get(self());
    Invariant.check(incarnation > 0, "a node that was left out ends");
    return true;
  }

  /** The newest view that says something new to replicas; null before the first one. */
  public ReplicaView view() {
    return view;
  }

  /** The nodes of the view. */
  public int members() {
    return members;
  }

  /** This node's life in the view, 0 before the first one. */
  public int incarnation() {
    return incarnation;
  }

  /** Whether all members have said what they had to say of the view. */
  public boolean isViewSettled() {
    return viewSettled;
  }

  /** Says whether all members have said what they had to say of the view. */
  public void viewSettled(boolean settled) {
    viewSettled = settled;
  }

  /** Whether clients are served: this node has caught up, and the view is settled. */
  public boolean isServing() {
    return serves && viewSettled;
  }

  // --- entries -----------------------------------------------------------------------------------

  /** All entries. */
  public Entries entries() {
    return entries;
  }

  /** Reads by other threads. */
  public LocalReads localReads() {
    return localReads;
  }

  /** The entry of a key; if there is none, one that is made when something is said of it. */
  public Entry entry(Key key) {
    return entries.get(key);
  }

  // --- clocks ------------------------------------------------------------------------------------

  /** A clock was seen. */
  public void learn(long clock) {
    if (clock > highestClock) {
      highestClock = clock;
      bound.note(Timestamp.version(clock));
    }
  }

  /** Whether a clock that another node tells of lies within a step of those seen so far. */
  public boolean admits(long clock) {
    return bound.admits(Timestamp.version(clock), !isServing());
  }

  /** The latest clock that this node has seen. */
  public long highestClock() {
    return highestClock;
  }

  /**
   * A clock that is later than all that this node has seen, and than what a read-modify-write of
   * any of that may get.
   */
  public long nextClock() {
    long last =
        keeps(ReplicaRule.WRITES_LEAVE_ROOM) ? conditionalClock(highestClock) : highestClock;
    learn(conditionalClock(last));
    return highestClock;
  }

  /** The clock of a read-modify-write of a version: earlier than that of any write after it. */
  public long conditionalClock(long base) {
    int life = keeps(ReplicaRule.NEW_WRITER) ? incarnation : 1;
    return Timestamp.next(base, Writer.of(self(), life));
  }

  /** A removal was forgotten, which all members had seen. */
  public void forgot(long clock) {
    if (keeps(ReplicaRule.FORGOTTEN_IS_EARLIER)) {
      forgottenClock = Math.max(forgottenClock, clock);
    }
  }

  /** The latest of the removals that were forgotten; 0 for none. */
  public long forgottenClock() {
    return forgottenClock;
  }

  /** What a read-modify-write of an entry follows. */
  public long base(Entry entry) {
    return entry.hasVersion() ? entry.clock() : forgottenClock;
  }

  /** The second invariant, and those of the entries. */
  public void checkInvariants() {
    entries.checkInvariants();
    Invariant.check(
        forgottenClock <= highestClock,
        "what was forgotten had been seen",
        "forgotten",
        forgottenClock,
        "highest",
        highestClock);
    for (Entry entry : entries.all()) {
      Invariant.check(
          entry.clock() <= highestClock,
          "the clock of what is here was seen",
          "clock",
          entry.clock(),
          "highest",
          highestClock);
    }
  }
}
