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

import java.util.List;
import org.orcagrid.ddp.Quorum;

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
  private final Replica replica;
  private final Protocol protocol;
  private final Teacher teacher;
  private final Learner learner;

  /** How far a member is that does not serve yet. */
  private enum Phase {
    /** It serves. */
    SERVES,
    /** It is being told. */
    TOLD,
    /** It has taken over what it was told, and waits until that is durable. */
    TAKES_OVER,
    /** That is durable. */
    DURABLE,
    /** It waits for what happened before the latest that it was told. */
    FOLLOWS,
    /** It may serve in the next view. */
    READY
  }

  private Phase phase = Phase.SERVES;

  /** Members that have said hello in this view, and those that have recovered in it. */
  private int hellos;

  private int recovered;

  /** The view in which this node gave up what it had, 0 if it did not. */
  private int adoption;

  private boolean settled;

  /** Whether it was said in this view that this node may serve in the next. */
  private boolean saidReady;

  CatchUp(Replica replica, Protocol protocol) {
    this.replica = replica;
    this.protocol = protocol;
    this.teacher = new Teacher(replica, protocol);
    this.learner = new Learner(replica);
  }

  /** Whether all members have said what they had to say of the view. */
  boolean isViewSettled() {
    return settled;
  }

  /** Whether this node has all that it was to learn, and that is durable. */
  boolean isComplete() {
    return phase == Phase.SERVES || phase == Phase.READY;
  }

  void onView(int joined) {
    ReplicaView view = replica.view();
    hellos = Quorum.of(replica.self());
    recovered = 0;
    settled = false;
    saidReady = false;
    boolean begins = false;
    if (view.serves(replica.self())) {
      phase = Phase.SERVES;
    } else if (!goesOn()) {
      phase = Phase.TOLD;
      learner.begin();
      begins = true;
    }
    protocol.onView(joined);
    replica.scopes().onView(joined);
    teacher.onView();
    if (begins) {
      if (view.serving() != 0 && learner.adopts() && adoption == 0) {
        beginToAdopt();
      }
      learner.ask();
    }
    replica.broadcast(new ReplicaMessage.Hello(view.number()));
    goOn();
  }

  /** What was taken over once from those who serve stays true, whoever of them is gone. */
  private boolean goesOn() {
    return switch (phase) {
      case SERVES -> false;
      case TOLD -> learner.mayGoOn();
      default -> !learner.isTogether() && replica.view().serving() != 0;
    };
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

  boolean onMessage(int from, ReplicaMessage message) {
    if (message instanceof ReplicaMessage.Hello hello) {
      if (hello.view() == replica.view().number()) {
        hellos |= Quorum.of(from);
        goOn();
      }
    } else if (message instanceof ReplicaMessage.StateAsk ask) {
      teacher.onAsk(from, ask);
    } else if (message instanceof ReplicaMessage.State state) {
      if (phase == Phase.TOLD) {
        learner.onState(from, state);
      }
    } else if (message instanceof ReplicaMessage.StateEnd end) {
      if (phase == Phase.TOLD) {
        learner.onEnd(from, end);
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

  /** Something has happened that this node may have waited for. */
  void goOn() {
    int members = replica.members();
    boolean all = (members & ~hellos) == 0 || !replica.keeps(ReplicaRule.HELLO_FIRST);
    if (all && !settled) {
      settled = true;
      protocol.onViewSettled();
      replica.goOn();
    }
    if (!all || phase == Phase.SERVES) {
      return;
    }
    if (phase == Phase.TOLD && learner.isToldAll()) {
      phase = Phase.TAKES_OVER;
      int number = replica.view().number();
      learner.takeOver(adoption, () -> onDurable(number));
    }
    if (learner.isTogether()) {
      recoverTogether(members);
    } else {
      catchUp();
    }
  }

  private void onDurable(int inView) {
    if (phase != Phase.TAKES_OVER) {
      return;
    }
    if (learner.isTogether()) {
      if (replica.view().number() != inView) {
        return;
      }
      recovered |= Quorum.of(replica.self());
      replica.broadcast(new ReplicaMessage.Recovered(inView));
    }
    phase = Phase.DURABLE;
    goOn();
  }

  private void catchUp() {
    if (phase == Phase.DURABLE) {
      phase = Phase.FOLLOWS;
      boolean follows = replica.keeps(ReplicaRule.FOLLOW_FIRST);
      protocol.onLearned(follows ? learner.since() : learner.until());
    }
    if (phase == Phase.FOLLOWS && protocol.shows(learner.until())) {
      phase = Phase.READY;
      replica.recoveredLog().caughtUp(false);
      if (replica.keeps(ReplicaRule.TELL_WHAT_WAS_KEPT)) {
        protocol.onKept(learner.adopts() ? List.of() : learner.keptAlone());
      }
    }
    sayReady();
  }

  private void recoverTogether(int members) {
    if (phase == Phase.DURABLE && (members & ~recovered) == 0) {
      phase = Phase.READY;
      // What logs have let go of may have been forgotten before: nobody knows how late it was, and
      // all have told each other the latest clock they know of.
      replica.forgot(replica.highestClock());
      replica.recoveredLog().caughtUp(true);
      for (Entry entry : replica.entries()) {
        entry.valid(entry.clock());
        entry.durable(entry.clock());
      }
      protocol.onLearned(learner.since());
    }
    sayReady();
  }

  private void sayReady() {
    if (phase == Phase.READY && !saidReady) {
      saidReady = true;
      replica.caughtUp();
    }
  }
}
