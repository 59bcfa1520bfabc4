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
package org.orcagrid.ddp.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.Quorum;

/**
 * The leases between a life of a node and the other members of its view: what it grants them, what
 * they have granted it, and whom it hears.
 */
final class Leases {
  /** Before any time that a clock shows. */
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  private static final long FOREVER_NANOS = Long.MAX_VALUE / 4;

  private final LeaseTimes times;
  private final Set<MembershipRule> rules;
  private final int self;

  /** By place; null where there is no other member. */
  private final Peer[] peers;

  /** Another member of the view. */
  private static final class Peer {
    private final long life;

    /**
     * When its last beat arrived; before the first one, when it became a member. Where both begin
     * to serve in one view, as in the first, it is leases later: their links may still be made.
     */
    private long heardNanos;

    /** One that has joined is heard with its first beat; one that serves, until it is silent. */
    private boolean isHeard;

    /** Whether any beat of it has arrived. */
    private boolean wasHeard;

    /** When the last beat arrived for which this node grants it a lease. */
    private long grantedNanos = LONG_AGO;

    /** The stamp of that beat. */
    private long grantStamp = Beat.NO_GRANT;

    /** The stamp of this node's last beat for which it has granted a lease. */
    private long leaseStamp = Beat.NO_GRANT;

    /** Whom it hears, as it says in its beats. */
    private int hears;

    private int inView;

    /**
     * When its beats last showed a newer view, or it fell behind this node. Only the first view
     * that it is behind in counts: it may still be at the one before when the next is made.
     */
    private long movedNanos;

    private Peer(long life, boolean serves, int hears, long heardNanos) {
      this.life = life;
      this.isHeard = serves;
      this.hears = hears;
      this.heardNanos = heardNanos;
      this.movedNanos = heardNanos;
    }

    private void waitForFirstBeat(long untilNanos) {
      isHeard = true;
      heardNanos = untilNanos;
      movedNanos = untilNanos;
    }
  }

  Leases(LeaseTimes times, Set<MembershipRule> rules, int nodes, int self) {
    this.times = times;
    this.rules = rules;
    this.self = self;
    this.peers = new Peer[nodes];
  }

  private boolean keeps(MembershipRule rule) {
    return rules.contains(rule);
  }

  // --- views and beats ---------------------------------------------------------------------------

  void clear() {
    for (int node = 0; node < peers.length; node++) {
      peers[node] = null;
    }
  }

  /** The members are those of this view; what is between lives that were in the last one stays. */
  void install(GridView view, long now) {
    for (int node = 0; node < peers.length; node++) {
      GridView.Place place = view.places().get(node);
      if (node == self || !place.member()) {
        peers[node] = null;
        continue;
      }
      Peer peer = peers[node];
      if (peer == null || peer.life != place.registration()) {
        peer = new Peer(place.registration(), view.serves(node), Quorum.all(peers.length), now);
        peers[node] = peer;
      } else if (peer.inView >= view.number() - 1) {
        peer.movedNanos = now;
      }
      if (!peer.wasHeard && beginTogether(view, node)) {
        peer.waitForFirstBeat(now + times.firstNanos());
      }
    }
  }

  /**
   * Whether this node and another one begin to serve in a view. To wait long for the first beat
   * only delays the next view: until then neither serves, as it lacks the other one's grant.
   */
  private boolean beginTogether(GridView view, int node) {
    return keeps(MembershipRule.TIME_FOR_FIRST_LINKS)
        && view.places().get(self).servesSince() == view.number()
        && view.places().get(node).servesSince() == view.number();
  }

  /**
   * A beat has arrived.
   *
   * @param own the life that is meant by it
   * @param grant whether it is to be granted a lease
   * @return false if it is not of a member's life, or not meant for this one
   */
  boolean onBeat(int from, Beat beat, long own, boolean grant, long now) {
    Peer peer = peers[from];
    boolean isOfLives = peer != null && beat.from() == peer.life && beat.to() == own;
    if (peer == null || (!isOfLives && keeps(MembershipRule.GRANTS_OF_LIVES))) {
      return false;
    }
    peer.heardNanos = now;
    peer.isHeard = true;
    peer.wasHeard = true;
    if (beat.view() > peer.inView) {
      peer.movedNanos = now;
    }
    if (beat.view() >= peer.inView) {
      peer.inView = beat.view();
      peer.hears = beat.hears();
    }
    if (beat.grantNanos() > peer.leaseStamp) {
      peer.leaseStamp = keeps(MembershipRule.FROM_STAMP) ? beat.grantNanos() : now;
    }
    if (grant && beat.stampNanos() > peer.grantStamp) {
      peer.grantStamp = beat.stampNanos();
      peer.grantedNanos = now;
    }
    return true;
  }

  /** Attempts to connect that fail before the first beat say nothing. */
  void onDisconnected(int node) {
    if (peers[node] != null && peers[node].wasHeard) {
      peers[node].heardNanos = LONG_AGO;
    }
  }

  /** What is known of the other members, in words. */
  String describe(GridView view, long now) {
    StringBuilder text = new StringBuilder();
    for (int node = 0; node < peers.length; node++) {
      Peer peer = peers[node];
      if (peer != null) {
        text.append(text.isEmpty() ? "" : "; ").append(node);
        text.append(peer.wasHeard ? " heard " : " not heard yet, counted from ");
        text.append(millis(now - peer.heardNanos)).append(" ms ago, hears ");
        text.append(Integer.toBinaryString(peer.hears)).append(", in view ").append(peer.inView);
        if (peer.inView < view.number()) {
          text.append(" for ").append(millis(now - peer.movedNanos)).append(" ms");
        }
      }
    }
    return text.toString();
  }

  /** What is known of the other members. */
  List<PeerLease> peers(long now) {
    List<PeerLease> known = new ArrayList<>();
    for (int node = 0; node < peers.length; node++) {
      Peer peer = peers[node];
      if (peer != null) {
        boolean heard = peer.wasHeard && peer.heardNanos != LONG_AGO;
        known.add(
            new PeerLease(
                node,
                heard ? millis(Math.max(0, now - peer.heardNanos)) : PeerLease.NEVER,
                peer.leaseStamp == Beat.NO_GRANT ? 0 : leftMillis(peer.leaseStamp, now),
                peer.grantedNanos == LONG_AGO ? 0 : leftMillis(peer.grantedNanos, now),
                peer.inView));
      }
    }
    return known;
  }

  private long leftMillis(long since, long now) {
    return millis(Math.max(0, since + times.leaseNanos() - now));
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }

  // --- what is known -----------------------------------------------------------------------------

  boolean has(int node) {
    return peers[node] != null;
  }

  long life(int node) {
    return peers[node].life;
  }

  /** The stamp of the beat for which a member is granted a lease. */
  long grantStamp(int node) {
    return peers[node].grantStamp;
  }

  /** The newest view that a member has installed, as far as its beats say so. */
  int inView(int node) {
    return peers[node].inView;
  }

  /** Whom a member hears, as its beats say. */
  int hears(int node) {
    return peers[node].hears;
  }

  /** Whether a member says that it is not to be waited for: it hears not even itself. */
  boolean stands(int node) {
    return peers[node].hears == 0;
  }

  boolean isSilent(int node, long now) {
    return !peers[node].isHeard || now - peers[node].heardNanos > times.silentNanos();
  }

  /**
   * Whether a member has been silent for longer than any lease, or its connection is gone and it
   * was not heard since.
   */
  boolean isSilentForLong(int node, long now) {
    return now - peers[node].heardNanos > times.overNanos();
  }

  /** Whether a member has stayed in a view before this one for longer than any lease. */
  boolean isStuckBefore(int view, int node, long now) {
    return keeps(MembershipRule.STUCK_ARE_LEFT_OUT)
        && peers[node].inView < view
        && now - peers[node].movedNanos > times.overNanos();
  }

  /** Whether all that a member was granted here is over, by any clock. */
  boolean isGrantOver(int node, long now) {
    long wait = keeps(MembershipRule.WAIT_FOR_DRIFT) ? times.overNanos() : times.leaseNanos();
    return now - peers[node].grantedNanos > wait || !keeps(MembershipRule.WAIT_FOR_LEASE);
  }

  /** The places that this node hears, its own too, as a mask. */
  int heard(long now) {
    int heard = Quorum.of(self);
    for (int node = 0; node < peers.length; node++) {
      heard |= peers[node] != null && !isSilent(node, now) ? Quorum.of(node) : 0;
    }
    return heard;
  }

  /** Until when the node serves in a view, by its clock. */
  long servesUntilNanos(GridView view, long now) {
    if (view.serving() == Quorum.of(self)) {
      return now + FOREVER_NANOS;
    }
    long until = now + FOREVER_NANOS;
    boolean granted = false;
    for (int node = 0; node < peers.length; node++) {
      if (node != self && view.serves(node)) {
        long stamp = peers[node].leaseStamp;
        if (stamp != Beat.NO_GRANT) {
          granted = true;
          until = Math.min(until, stamp + times.leaseNanos());
        } else if (keeps(MembershipRule.GRANTS_OF_ALL)) {
          return now - 1;
        }
      }
    }
    return granted ? until : now - 1;
  }
}
