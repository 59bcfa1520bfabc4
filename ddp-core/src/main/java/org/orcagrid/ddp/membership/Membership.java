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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.orcagrid.ddp.Quorum;

/**
 * A node's part in the membership of its grid: keeps its lease and those that it grants, finds out
 * who is silent, and makes the next view. A state machine: all it does is in answer to its methods,
 * which one thread calls at a time, with the node's own clock as {@code now}. Views are agreed in a
 * <i>registry</i>: a compare-and-set by their number.
 *
 * <p>The promise: a life that serves by {@link #servesUntilNanos} is in the newest view, so that
 * nobody goes on without it. It rests on these invariants ({@link MembershipRule}):
 *
 * <ol>
 *   <li>A node serves while each other serving member of its view has granted it. A grant answers a
 *       beat and lasts a lease from when that beat was sent.
 *   <li>A view without a life is made by a serving member that has granted that life nothing for
 *       longer than a lease. It grants nothing until that view is made or cannot be made any more.
 *   <li>That life has known a view in which the maker serves. So it needs the maker's grants, and
 *       has none.
 *   <li>When so few would serve that a map may have none of its homes among them, all of their
 *       lives end.
 *   <li>A place that has come takes its share of the maps. A view is without the copies that were
 *       there before when all its members have said that they do not serve these any more.
 *   <li>Where all lives that served are over, those that follow them at their places begin
 *       together.
 *   <li>A place that leaves the grid has no member in the view before the one without it. And all
 *       others have what a majority had acknowledged when it still counted.
 *   <li>A purge view follows a view in which every place serves, and it is made for somebody who
 *       has asked for it in that very view. So all processes have marked in one view what they
 *       forget, or none of them forgets it.
 * </ol>
 *
 * <p>Which nodes go on is another matter, on which no promise rests: the largest set of which all
 * hear each other. A node that a peer does not hear is asked through the registry, by a
 * <i>round</i>, whether it is there, and whom it hears.
 */
public final class Membership {
  private final LeaseTimes times;
  private final Set<MembershipRule> rules;
  private final int self;
  private final int nodes;
  private final int size;
  private final long newGrid;
  private final MembershipEffects effects;
  private final Leases leases;

  // --- this life

  /** What this life says of itself; null while there is none. */
  private Registration own;

  /** What this node knows of the other members, in words for a log. */
  public String describePeers() {
    return view == null ? "in no view" : leases.describe(view, now);
  }

  /** The same in numbers; none while this node is in no view. */
  public List<PeerLease> peers(long nowNanos) {
    return view == null ? List.of() : leases.peers(nowNanos);
  }

  /** The view that is installed; null while this life is in none. */
  private GridView view;

  private long beatNanos;

  /** The newest round of questions, and when it came here. */
  private long round;

  private long roundNanos;

  /** Whether a worker has stood still for so long that nobody should wait for this node. */
  private boolean stands;

  // --- what is known of the registry

  private GridView known;
  private Registered registered;

  /** Whether the registry was read in the life of this process. */
  private boolean isRead;

  // --- the next view

  /** The serving members that are not to go on: they are granted nothing. */
  private int excluding;

  /** The view that the registry was asked to keep, until it is certain whether it does. */
  private GridView making;

  /** The number of the view that this node would make, 0 for none, and since when. */
  private int wanted;

  private long wantedNanos;

  /** The view that a purge view is to follow, as this node was asked in this life; 0 for none. */
  private int purgeOf;

  private long now;

  /**
   * The membership of a node; {@link #begin} begins its first life.
   *
   * @param nodes how many places the grid may have
   * @param size how many it begins with
   * @param self this node's place
   * @param newGrid tells the grid from all others, if this node makes its first view
   */
  public Membership(
      LeaseTimes times,
      Set<MembershipRule> rules,
      int nodes,
      int size,
      int self,
      long newGrid,
      MembershipEffects effects) {
    this.times = times;
    this.rules = Set.copyOf(rules);
    this.nodes = nodes;
    this.size = size;
    this.self = self;
    this.newGrid = newGrid;
    this.effects = effects;
    this.leases = new Leases(times, this.rules, nodes, self);
    this.registered = new Registered(Collections.nCopies(nodes, Optional.empty()), 0);
  }

  private boolean keeps(MembershipRule rule) {
    return rules.contains(rule);
  }

  // --- inputs ------------------------------------------------------------------------------------

  /**
   * A life begins; the last one, of this process or another one, is over.
   *
   * @param registration tells it from all others of the grid
   * @param process tells the process from all others of the grid; not 0
   */
  public void begin(long registration, long process, String address, long nowNanos) {
    now = nowNanos;
    endLife();
    own = Registration.of(registration, process, address);
    round = 0;
    roundNanos = now;
    effects.report(own);
  }

  /** This life ends in good order: the node serves nobody any more. */
  public void leave(long nowNanos) {
    now = nowNanos;
    if (own != null) {
      effects.report(own.left());
      endLife();
    }
  }

  private void endLife() {
    own = null;
    view = null;
    excluding = 0;
    purgeOf = 0;
    leases.clear();
  }

  /**
   * What the registry holds.
   *
   * @param views those after the last one that was given here, in their order, without a gap
   * @param present for each place what the last life that has registered says of itself
   * @param removals the places that are to leave the grid, or have left it, as a mask
   */
  public void onRegistry(
      List<GridView> views, List<Optional<Registration>> present, int removals, long nowNanos) {
    now = nowNanos;
    isRead = true;
    registered = new Registered(present, removals);
    for (GridView next : views) {
      known = next;
      if (making != null && making.number() <= next.number()) {
        making = null;
      }
      follow(next);
    }
    if (own != null) {
      if (!registered.has(self, own.id())) {
        effects.report(own);
      }
      onRound(registered.round());
      decide();
    }
    if (mayGo()) {
      leave(now);
      effects.left("its place leaves the grid, and the others have what it had acknowledged");
    }
  }

  /** Whether this node leaves the grid, and is not needed any more. */
  private boolean mayGo() {
    return own != null && view != null && view.isLeaving(self) && goesOnWithout(view);
  }

  private boolean goesOnWithout(GridView of) {
    return QuietViews.goesOnWithout(rules, of, registered);
  }

  private void follow(GridView next) {
    boolean isOf = own != null && next.places().get(self).registration() == own.id();
    if (own == null || (view == null && !isOf)) {
      return;
    }
    if (!next.has(self, own.id())) {
      endLife();
      effects.left("view " + next.number() + " is without this life of the node");
      return;
    }
    view = next;
    excluding &= next.serving();
    leases.install(next, now);
    report(next.number(), own.caughtUp());
    effects.install(next);
  }

  /** Whether the registry keeps the view of this number that it was asked to keep. */
  public void onMade(int number, boolean made, long nowNanos) {
    now = nowNanos;
    if (making != null && making.number() == number && !made) {
      making = null;
    }
    effects.read();
  }

  /** A beat has arrived. */
  public void onBeat(int from, Beat beat, long nowNanos) {
    now = nowNanos;
    if (own == null || view == null) {
      return;
    }
    if (beat.view() > view.number()) {
      effects.read();
    }
    boolean grant = (excluding & Quorum.of(from)) == 0;
    if (leases.onBeat(from, beat, own.id(), grant, now)) {
      onRound(beat.round());
    }
  }

  /** The connection to a peer is gone: a hint that it may be. */
  public void onDisconnected(int peer, long nowNanos) {
    now = nowNanos;
    leases.onDisconnected(peer);
    if (view != null) {
      look();
    }
  }

  /** This node has caught up in a view. */
  public void onCaughtUp(int inView, long nowNanos) {
    now = nowNanos;
    if (own != null && view != null && view.number() == inView) {
      report(view.number(), inView);
    }
  }

  /**
   * This node serves no map any more that it was to give up.
   *
   * @param inView the view in which copies were to be given up
   */
  public void onGaveUp(int inView, long nowNanos) {
    now = nowNanos;
    if (own != null && view != null && view.shares().givenUpIn() == inView) {
      report(own.gaveUp(inView));
    }
  }

  /**
   * This node has caught up with what was acknowledged before the view in which a place began to
   * leave. To be called again in each view.
   *
   * @param since the number of that view
   */
  public void onRefreshed(int since, long nowNanos) {
    now = nowNanos;
    if (own != null && view != null) {
      report(own.refreshed(since));
    }
  }

  /**
   * All processes have marked removed keys in a view: asks that the next one be a purge view. It is
   * asked for until a later view is installed or this life ends. To no avail if {@code inView} is
   * not the newest view that is known, or this life is not in it.
   */
  public void wantPurge(int inView, long nowNanos) {
    now = nowNanos;
    boolean isNewest = view != null && view.number() == inView;
    if (isNewest || !keeps(MembershipRule.PURGE_OF_NEWEST_VIEW)) {
      purgeOf = inView;
      decide();
    }
  }

  /**
   * Looks at the time; to be called several times a beat.
   *
   * @param stoodNanos how long a worker of this node has done nothing, the longest of them: beats
   *     need no worker, and a node that does no work is not to be waited for
   */
  public void tick(long nowNanos, long stoodNanos) {
    now = nowNanos;
    stands = stoodNanos > times.standingNanos() && keeps(MembershipRule.STANDING_ARE_LEFT_OUT);
    if (own == null) {
      return;
    }
    if (view != null) {
      look();
      if (now - beatNanos >= times.beatNanos()) {
        beatNanos = now;
        sendBeats();
      }
    }
    decide();
  }

  private void sendBeats() {
    int heard = heard();
    for (int node = 0; node < nodes; node++) {
      if (leases.has(node)) {
        effects.send(
            node,
            new Beat(
                view.number(),
                own.id(),
                leases.life(node),
                now,
                leases.grantStamp(node),
                heard,
                own.round()));
      }
    }
  }

  /**
   * Until when this node serves, by its clock: what it has found out before may be told to a
   * client. It becomes earlier only when a view is installed, or this life ends.
   */
  public long servesUntilNanos() {
    return view == null || !view.serves(self) ? now - 1 : leases.servesUntilNanos(view, now);
  }

  // --- who hears whom ----------------------------------------------------------------------------

  /** The places that this node says it hears; not even its own if it is not to go on. */
  private int heard() {
    return stands ? 0 : leases.heard(now);
  }

  /** Notes who has become silent, and who is heard again. */
  private void look() {
    int heard = leases.heard(now);
    boolean someAreSilent = (view.members() & ~heard) != 0;
    if ((own.hears() & ~heard) != 0 || (someAreSilent && now - roundNanos > times.leaseNanos())) {
      // A new question: whoever does not answer it in time is not there.
      round++;
      roundNanos = now;
    }
    report(own.inView(), own.caughtUp());
  }

  private void onRound(long seen) {
    if (seen > round) {
      round = seen;
      roundNanos = now;
      report(own.inView(), own.caughtUp());
    }
  }

  private void report(int inView, int caughtUp) {
    report(own.with(inView, caughtUp, view == null ? 0 : heard(), round));
  }

  private void report(Registration next) {
    if (!next.equals(own)) {
      own = next;
      effects.report(own);
    }
  }

  /**
   * For each place whom it hears, as a mask; null while a silent member may still answer.
   *
   * <p>A member in an earlier view does not know yet whom it has to hear, and counts as hearing
   * all. One that stays there does not reach the registry: the others would wait for it in this
   * view for ever, so it counts as hearing nobody.
   */
  private int[] hearing() {
    int[] hears = new int[nodes];
    hears[self] = heard();
    for (int node = 0; node < nodes; node++) {
      if (!leases.has(node) || registered.isLeaving(node, leases.life(node))) {
        continue;
      }
      if (!leases.isSilent(node, now)) {
        boolean isStuck = leases.isStuckBefore(view.number(), node, now);
        hears[node] = isStuck ? 0 : asOf(leases.inView(node), leases.hears(node));
      } else if (keeps(MembershipRule.SILENT_ARE_ASKED)) {
        Optional<Registration> answer = registered.answer(node, leases.life(node), round);
        if (answer.isPresent()) {
          hears[node] = asOf(answer.get().inView(), answer.get().hears());
        } else if (now - roundNanos <= times.answerNanos()) {
          return null;
        }
      }
    }
    return hears;
  }

  private int asOf(int inView, int hears) {
    return inView < view.number() ? Quorum.all(nodes) : hears;
  }

  // --- the next view -----------------------------------------------------------------------------

  private void decide() {
    if (!isRead || (making != null && keeps(MembershipRule.NO_GRANT_WHILE_MAKING))) {
      return;
    }
    Optional<GridView> next = Optional.empty();
    if (known == null) {
      next = ViewRules.first(newGrid, registered.present(), size);
    } else if (view != null && view.number() == known.number() && view.serves(self)) {
      next = decideServing();
    } else if (known.serving() == 0
        || registered.areAllOver(known)
        || !keeps(MembershipRule.MADE_BY_SERVING)) {
      next = ViewRules.next(known, registered.present(), registered.caughtUp(known));
    }
    if (next.isEmpty() || making != null) {
      wanted = 0;
      return;
    }
    if (wanted != next.get().number()) {
      wanted = next.get().number();
      wantedNanos = now;
    }
    // One of them is enough, but nobody knows which of them can still ask the registry. A purge
    // view nobody else makes.
    boolean isPurge = next.get().purgedIn() == next.get().number();
    if (isPurge || now - wantedNanos >= 2L * rank() * times.beatNanos()) {
      making = next.get();
      wanted = 0;
      effects.make(making);
    }
  }

  /** How many nodes that can make it come before this one. */
  private int rank() {
    int makers =
        view != null && view.serves(self) ? view.serving() & ~excluding : Quorum.all(nodes);
    return Integer.bitCount(makers & Quorum.all(self));
  }

  private Optional<GridView> decideServing() {
    int[] hears = hearing();
    if (hears == null) {
      return Optional.empty();
    }
    int candidates = 0;
    for (int node = 0; node < nodes; node++) {
      boolean isThere = (hears[node] & Quorum.of(node)) != 0;
      candidates |= isThere && view.serves(node) ? Quorum.of(node) : 0;
    }
    candidates &= goesOnWithout(view) ? view.staying() : ~0;
    int goOn =
        keeps(MembershipRule.LARGEST_CONNECTED)
            ? Connected.largest(candidates, hears)
            : leases.heard(now) & view.serving();
    if ((goOn & Quorum.of(self)) == 0) {
      excluding = 0;
      return Optional.empty();
    }
    excluding = view.serving() & ~goOn;
    List<Optional<ViewRules.Present>> present = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      present.add(present(node));
    }
    int caughtUp = mayServe(registered.caughtUp(view), goOn);
    if (ViewRules.isStopped(view, present, caughtUp) && keeps(MembershipRule.ENOUGH_SERVE)) {
      endLife();
      effects.left(known.shares().whyStopped());
      return Optional.empty();
    }
    Optional<GridView> next =
        keeps(MembershipRule.ENOUGH_SERVE)
            ? ViewRules.next(view, present, caughtUp)
            : ViewRules.nextAnyhow(view, present, caughtUp);
    // While one that serves is not to go on, the view without it is due soon.
    return next.isPresent() || excluding != 0
        ? next
        : QuietViews.next(rules, view, registered, present, purgeOf);
  }

  /** Those of {@code joining} that hear all who serve, and are heard by them. */
  private int mayServe(int joining, int serving) {
    int may = 0;
    for (int node = 0; node < nodes; node++) {
      boolean isHeard = hears(node, serving);
      for (int other = 0; other < nodes; other++) {
        isHeard &= (serving & Quorum.of(other)) == 0 || hears(other, Quorum.of(node));
      }
      may |= isHeard || !keeps(MembershipRule.HEARD_BEFORE_SERVING) ? Quorum.of(node) : 0;
    }
    return joining & may;
  }

  /** Whether a member of this view is known to hear these. */
  private boolean hears(int node, int others) {
    int hears = 0;
    if (node == self) {
      hears = heard();
    } else if (leases.has(node) && leases.inView(node) >= view.number()) {
      hears = leases.hears(node);
    }
    return (hears & others) == others;
  }

  /** The life that counts as there at a place. */
  private Optional<ViewRules.Present> present(int node) {
    GridView.Place place = view.places().get(node);
    boolean isGone = node != self && place.member() && isGone(node);
    if (place.member() && !isGone) {
      return Optional.of(
          new ViewRules.Present(place.registration(), place.memory().process(), place.address()));
    }
    boolean isAway = place.memory().joined() == 0 && registered.isRemoved(node);
    return registered
        .present(node)
        .filter(each -> !isAway && (!isGone || each.id() != place.registration()));
  }

  /** Whether a member is not to go on, and serves nobody any more. */
  private boolean isGone(int node) {
    long life = leases.life(node);
    boolean isLeaving = registered.isLeaving(node, life);
    boolean isFollowed = registered.isFollowed(node, life);
    if (!view.serves(node)) {
      return isLeaving
          || (isFollowed && leases.isSilent(node, now))
          || leases.isSilentForLong(node, now)
          || leases.stands(node)
          || leases.isStuckBefore(view.number(), node, now);
    }
    // A later life alone proves nothing: in a copied folder it begins beside the one before, which
    // serves while its grants last. The connections of a process that was killed are gone.
    boolean isOver = isLeaving || (isFollowed && leases.isSilentForLong(node, now));
    boolean grantIsOver =
        leases.isGrantOver(node, now)
            && (needsMyGrants(node) || !keeps(MembershipRule.KNOWN_TO_GONE));
    return (excluding & Quorum.of(node)) != 0 && (isOver || grantIsOver);
  }

  /** Whether a member needs this node's grants, as far as it knows the views. */
  private boolean needsMyGrants(int node) {
    int since = view.places().get(self).servesSince();
    int known = Math.max(leases.inView(node), registered.inView(node, leases.life(node)));
    return view.places().get(node).servesSince() >= since || known >= since;
  }

  /** The view that is installed; null while this life is in none. */
  public GridView view() {
    return view;
  }
}
