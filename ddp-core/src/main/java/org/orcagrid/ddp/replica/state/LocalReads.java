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

import java.util.Set;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.store.Sight;

/**
 * Reads of a node's copy by threads that are not its worker: a version that all nodes have may be
 * read at any of them without asking anybody (Hermes, ASPLOS '20, section 3.1, on which DDP's
 * invalidations rest).
 *
 * <p>A read is four steps, in this order. {@link #begin} finds out whether the node serves. {@link
 * #find} copies the version. {@link #mayBeShown} looks at what is known of it, and then whether it
 * still is the present one. {@link #counts}, after whoever hosts the replica has looked whether the
 * node's lease holds, says whether the node has served all the time. So there was a moment, that of
 * the third step, when the version was the present one here, was known to be where it had to be,
 * and the node served under its lease: the worker would have answered the same.
 *
 * <p>What a session has under way, and what it has written and does not see yet, is for others to
 * look at. Transactions have no such reads: what is decided and not visible yet is the worker's.
 */
public final class LocalReads {
  /** What must be known of a version before it is shown. */
  private enum Need {
    /** It is the worker's to say. */
    WORKER,
    /** Nothing. */
    NOTHING,
    /** This node has persisted it. */
    PERSISTED,
    /** All nodes have it. */
    VALID,
    /** All nodes have it, and have it durable. */
    DURABLE
  }

  private final Entries entries;
  private final Need acquires;
  private final Need reads;
  private final boolean looksAgain;
  private final boolean whileServing;

  /** Odd while the node serves; another number each time that it begins or ends. */
  private volatile long stage;

  LocalReads(Entries entries, ReplicaSettings settings, Set<ReplicaRule> rules) {
    this.entries = entries;
    this.looksAgain = rules.contains(ReplicaRule.LOCAL_READ_LOOKS_AGAIN);
    this.whileServing = rules.contains(ReplicaRule.LOCAL_READ_WHILE_SERVING);
    Consistency consistency = settings.model().consistency();
    boolean beforeRead = settings.model().persistency().isBeforeRead();
    boolean beforeVisible = settings.model().persistency().isBeforeVisible();
    Need atAll = beforeRead ? Need.DURABLE : Need.VALID;
    switch (consistency) {
      case LINEARIZABLE, READ_ENFORCED -> {
        reads = atAll;
        acquires = Need.WORKER;
      }
      case RELEASE -> {
        reads = beforeRead || beforeVisible ? Need.PERSISTED : Need.NOTHING;
        acquires = atAll;
      }
      case CAUSAL, EVENTUAL -> {
        reads = beforeRead ? Need.PERSISTED : Need.NOTHING;
        acquires = Need.WORKER;
      }
      default -> {
        reads = Need.WORKER;
        acquires = Need.WORKER;
      }
    }
  }

  /** What a thread finds, one read after the other. */
  public static final class Look {
    private final Sight sight = new Sight();
    private long stage;
    private Key key;

    /** The version that was found; null if there was none. */
    public Write version() {
      return sight.clock() == 0 ? null : new Write(key, sight.clock(), sight.value());
    }
  }

  // --- the worker --------------------------------------------------------------------------------

  /**
   * Says whether the node serves. That it does not is said before anything is changed on that
   * account, that it does after everything was.
   */
  public void serves(boolean now) {
    if (isServing(stage) != now) {
      stage(stage + 1);
    }
  }

  private void stage(long next) {
    stage = next;
  }

  private static boolean isServing(long stage) {
    return (stage & 1) == 1;
  }

  // --- any thread, in this order -----------------------------------------------------------------

  /**
   * Whether a read can be answered so.
   *
   * @param acquires whether it is an acquire
   */
  public boolean begin(Look look, boolean acquires) {
    look.stage = stage;
    return isServing(look.stage) && need(acquires) != Need.WORKER;
  }

  private Need need(boolean acquire) {
    return acquire ? acquires : reads;
  }

  /** Copies the version of a key. */
  public void find(Look look, Key key) {
    look.key = key;
    entries.look(key, look.sight);
  }

  /** Whether it may be shown, and still is the present one. */
  public boolean mayBeShown(Look look, boolean acquires) {
    Sight sight = look.sight;
    if (!sight.hasRecord()) {
      return true;
    }
    Need need = need(acquires);
    if (need == Need.NOTHING || need == Need.PERSISTED) {
      // What may still be given up is not there yet.
      boolean open = Entry.isConditional(sight);
      return !open
          && (need == Need.NOTHING || entries.isKnown(sight, Entry.PERSISTED))
          && isStill(sight);
    }
    return entries.isKnown(sight, Entry.VALID)
        && (need == Need.VALID || entries.isKnown(sight, Entry.DURABLE))
        && isStill(sight);
  }

  private boolean isStill(Sight sight) {
    return !looksAgain || entries.isStill(sight);
  }

  /** Whether the node has served since {@link #begin}; to be asked last. */
  public boolean counts(Look look) {
    return stage == look.stage || !whileServing;
  }
}
