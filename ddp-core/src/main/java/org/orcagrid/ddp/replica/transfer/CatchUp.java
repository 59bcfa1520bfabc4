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

import java.util.List;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.state.TransferSteps;
import org.orcagrid.ddp.replica.wire.Links;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;

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
public final class CatchUp {
  private final ReplicaState state;
  private final Links links;
  private final Journal journal;
  private final TransferSteps consistency;
  private final CatchUpListener listener;
  private final SnapshotSource source;
  private final SnapshotReceiver receiver;

  /** How far a member is that does not serve yet. */
  private enum Phase {
    /** It serves. */
    SERVES,
    /** It receives what others have. */
    RECEIVES,
    /** It has taken over what it has received, and waits until that is durable. */
    TAKES_OVER,
    /** That is durable. */
    DURABLE,
    /** It waits for what happened before the latest that it has received. */
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

  /** Whether it was said in this view that this node may serve in the next. */
  private boolean saidReady;

  /** A node that has not been in any view. */
  public CatchUp(
      ReplicaState state,
      Links links,
      Journal journal,
      TransferSteps consistency,
      CatchUpListener listener) {
    this.state = state;
    this.links = links;
    this.journal = journal;
    this.consistency = consistency;
    this.listener = listener;
    this.source = new SnapshotSource(state, links, consistency, listener.budget());
    this.receiver = new SnapshotReceiver(state, links, journal, listener);
  }

  /** Tells those that catch up what may be told now. */
  public void tell(long nowNanos) {
    source.tell(nowNanos);
  }

  /** Whether it waits for the time. */
  public boolean isWaiting() {
    return source.isWaiting();
  }

  /** How long it is until a page may be told; the longest time there is if nobody waits for one. */
  public long nanosToTell(long nowNanos) {
    return source.nanosToTell(nowNanos);
  }

  /** Whether this node has all that it was to learn, and that is durable. */
  public boolean isComplete() {
    return phase == Phase.SERVES || phase == Phase.READY;
  }

  /**
   * There is a new view.
   *
   * @param joined the members that this node had no link to
   */
  public void onView(int joined) {
    ReplicaView view = state.view();
    hellos = Quorum.of(state.self());
    recovered = 0;
    state.viewSettled(false);
    saidReady = false;
    boolean begins = false;
    if (view.serves(state.self())) {
      phase = Phase.SERVES;
    } else if (!goesOn()) {
      phase = Phase.RECEIVES;
      receiver.begin();
      begins = true;
    }
    listener.onView(joined);
    source.onView();
    if (begins) {
      if (view.serving() != 0 && receiver.adopts() && adoption == 0) {
        beginToAdopt();
      }
      receiver.ask();
    }
    links.broadcast(new ReplicaMessage.Hello(view.number()));
    goOn();
  }

  /** What was taken over once from those who serve stays true, whoever of them is gone. */
  private boolean goesOn() {
    return switch (phase) {
      case SERVES -> false;
      case RECEIVES -> receiver.mayGoOn();
      default -> !receiver.isTogether() && state.view().serving() != 0;
    };
  }

  /** Gives up what this node had before this life; once, since what comes afterwards counts. */
  private void beginToAdopt() {
    adoption = state.view().number();
    state.entries().clear();
    if (!state.persistency().isByScope()) {
      // Scopes hold nothing that was not visible: what is in the log of them stays.
      journal.persistLater(new LogRecord.AdoptionBegin(adoption));
    }
  }

  /** A message has come; whether it is about catching up. */
  public boolean onMessage(int from, ReplicaMessage message) {
    if (message instanceof ReplicaMessage.Hello hello) {
      if (hello.view() == state.view().number()) {
        hellos |= Quorum.of(from);
        goOn();
      }
    } else if (message instanceof ReplicaMessage.StateAsk ask) {
      source.onAsk(from, ask);
    } else if (message instanceof ReplicaMessage.State state) {
      if (phase == Phase.RECEIVES) {
        receiver.onState(from, state);
      }
    } else if (message instanceof ReplicaMessage.StateEnd end) {
      if (phase == Phase.RECEIVES) {
        receiver.onEnd(from, end);
        goOn();
      }
    } else if (message instanceof ReplicaMessage.Recovered all) {
      if (all.view() == state.view().number()) {
        recovered |= Quorum.of(from);
        goOn();
      }
    } else {
      return false;
    }
    return true;
  }

  /** Something has happened that this node may have waited for. */
  public void goOn() {
    int members = state.members();
    boolean all = (members & ~hellos) == 0 || !state.keeps(ReplicaRule.HELLO_FIRST);
    if (all && !state.isViewSettled()) {
      state.viewSettled(true);
      listener.onViewSettled();
    }
    if (!all || phase == Phase.SERVES) {
      return;
    }
    if (phase == Phase.RECEIVES && receiver.hasAll()) {
      phase = Phase.TAKES_OVER;
      int number = state.view().number();
      receiver.takeOver(adoption, () -> onDurable(number));
    }
    if (receiver.isTogether()) {
      recoverTogether(members);
    } else {
      catchUp();
    }
  }

  private void onDurable(int inView) {
    if (phase != Phase.TAKES_OVER) {
      return;
    }
    if (receiver.isTogether()) {
      if (state.view().number() != inView) {
        return;
      }
      recovered |= Quorum.of(state.self());
      links.broadcast(new ReplicaMessage.Recovered(inView));
    }
    phase = Phase.DURABLE;
    goOn();
  }

  private void catchUp() {
    if (phase == Phase.DURABLE) {
      phase = Phase.FOLLOWS;
      boolean follows = state.keeps(ReplicaRule.FOLLOW_FIRST);
      consistency.onLearned(follows ? receiver.since() : receiver.until());
    }
    if (phase == Phase.FOLLOWS && consistency.shows(receiver.until())) {
      phase = Phase.READY;
      listener.onComplete(false);
      if (state.keeps(ReplicaRule.TELL_WHAT_WAS_KEPT)) {
        consistency.onKept(receiver.adopts() ? List.of() : receiver.keptAlone());
      }
    }
    sayReady();
  }

  private void recoverTogether(int members) {
    if (phase == Phase.DURABLE && (members & ~recovered) == 0) {
      phase = Phase.READY;
      // What logs have let go of may have been forgotten before: nobody knows how late it was, and
      // all have told each other the latest clock they know of.
      state.forgot(state.highestClock());
      listener.onComplete(true);
      for (Entry entry : state.entries().all()) {
        entry.valid(entry.clock());
        entry.durable(entry.clock());
      }
      consistency.onLearned(receiver.since());
    }
    sayReady();
  }

  /** Both invariants, as far as this node sees to them, and those of what it sends. */
  public void checkInvariants() {
    ReplicaView view = state.view();
    if (view == null) {
      return;
    }
    Invariant.check(
        !state.isViewSettled() || (state.members() & ~hellos) == 0,
        "a view is settled when all members have said hello");
    Invariant.check(
        !view.serves(state.self()) || phase == Phase.SERVES,
        "a node that serves has nothing to catch up with");
    boolean isDurable = phase == Phase.DURABLE || phase == Phase.FOLLOWS || phase == Phase.READY;
    Invariant.check(
        !isDurable || receiver.isDurable(), "what was received is durable before a node is ready");
    source.checkInvariants();
  }

  private void sayReady() {
    if (phase == Phase.READY && !saidReady) {
      saidReady = true;
      listener.onReady();
    }
  }
}
