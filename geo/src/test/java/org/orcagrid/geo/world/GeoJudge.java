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
package org.orcagrid.geo.world;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.orcagrid.ddp.raft.RaftEntry;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.partition.Partition;
import org.orcagrid.geo.partition.Placement;
import org.orcagrid.geo.partition.ReadAnswer;
import org.orcagrid.geo.replica.Command;
import org.orcagrid.geo.replica.CommandCodec;
import org.orcagrid.geo.replica.Found;
import org.orcagrid.geo.replica.LocalWrite;
import org.orcagrid.geo.replica.RemoteWrite;
import org.orcagrid.geo.replica.Replica;
import org.orcagrid.simulator.checker.SessionAccess;
import org.orcagrid.simulator.checker.SessionGuarantees;

/**
 * Judges a world. While it runs:
 *
 * <ul>
 *   <li>up to its stable vector a replica has each write, or a version that wins (Lemma A.1);
 *   <li>a write takes effect once in its datacenter, and only if its condition held;
 *   <li>a leader gives no timestamp that is not later than all that it has applied;
 *   <li>behind a safe time no earlier write comes;
 *   <li>an answer has its version's own position; nobody waits too long, or gives up too soon.
 * </ul>
 *
 * <p>In the end all replicas have the same, nothing that was acknowledged is lost, the winners won,
 * deletions are forgotten, all are served, and each session has got what it asked for.
 */
public final class GeoJudge {
  private static final long SETTLE_MILLIS = 4_500;
  private static final long TICKS_NANOS = 80_000_000;
  private static final long FAST_MILLIS = 1_000;
  private static final long AHEAD_MILLIS_MAX = 30_000;

  private static final List<WorldReplica> NOBODY = List.of();

  private final GeoRun run;
  private final Placement placement;
  private final List<Ledger> ledgers = new ArrayList<>();
  private final Map<WorldReplica, Watched> watched = new HashMap<>();
  private long merges;
  private long gaps;
  private long restores;
  private long acknowledgements;
  private long served;
  private long late;
  private long purges;
  private long losses;
  private long removals;

  /** A rule of the judge is broken. */
  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Broken(String message) {
      super(message);
    }
  }

  /** What was seen: runs in which nothing happens prove nothing. */
  public record Figures(
      long writes,
      long acknowledged,
      long reads,
      long late,
      long gaps,
      long merges,
      long purges,
      long restores,
      long losses,
      long removals) {}

  /** A write that has taken effect. */
  private record Effect(String key, Version version, boolean isDeletion) {}

  /** Whose write it was. */
  private record Author(int datacenter, long session, long number) {}

  /** What was written to a partition. */
  private static final class Ledger {
    private final List<TreeMap<Long, Effect>> byPosition = new ArrayList<>();
    private final Map<Author, Long> once = new HashMap<>();
    private final List<Effect> acknowledged = new ArrayList<>();

    private Ledger(int datacenters) {
      for (int i = 0; i < datacenters; i++) {
        byPosition.add(new TreeMap<>());
      }
    }
  }

  /** What is known of a replica in its present life. */
  private static final class Watched {
    private final long[] stable = new long[Positions.DATACENTERS_MAX];
    private final long[] safe = new long[Positions.DATACENTERS_MAX];
    private long latestTime;

    /** Of the entry that is being applied: the version before. */
    private Found before;
  }

  GeoJudge(GeoRun run, Placement placement) {
    this.run = run;
    this.placement = placement;
    for (int i = 0; i < run.shape().partitions(); i++) {
      ledgers.add(new Ledger(placement.datacenters()));
    }
  }

  void check(boolean holds, String rule) {
    if (!holds) {
      throw new Broken(rule);
    }
  }

  Figures figures() {
    long writes =
        ledgers.stream()
            .flatMap(each -> each.byPosition.stream())
            .mapToLong(NavigableMap::size)
            .sum();
    return new Figures(
        writes, acknowledgements, served, late, gaps, merges, purges, restores, losses, removals);
  }

  // --- what is to be expected --------------------------------------------------------------------

  /** Whether faults have been over for long enough. */
  boolean isSettled() {
    return run.simulation().nowNanos() / 1_000_000 > run.shape().faultsMillis() + SETTLE_MILLIS;
  }

  boolean isDatacenterLost() {
    return placement.nodes().stream().anyMatch(each -> each.stream().allMatch(run::isLost));
  }

  /** Whether something is required that was lost with its datacenter, and nobody says so. */
  boolean isLost(Requirement requirement) {
    for (int i = 0; i < placement.datacenters(); i++) {
      if (i != run.removed() && placement.nodes().get(i).stream().allMatch(run::isLost)) {
        int lost = i;
        long known =
            run.nodes().stream()
                .filter(WorldNode::isUp)
                .flatMap(each -> each.replicas().stream())
                .mapToLong(each -> each.partition().replica().stable(lost))
                .max()
                .orElse(0);
        if (requirement.floor() > 0 || requirement.positions().at(i) > known) {
          return true;
        }
      }
    }
    return false;
  }

  /** A session is told that it has seen what is lost. */
  void lost(ReadAnswer.Lost lost, Requirement requirement) {
    losses++;
    int datacenter = lost.datacenter();
    check(datacenter == run.removed(), "something is lost of a datacenter that stays");
    check(
        requirement.floor() > 0 || requirement.positions().at(datacenter) > lost.cut(),
        "a session is told of a loss that is none");
    for (WorldNode each : run.nodes()) {
      for (WorldReplica at : each.isUp() && !run.isOut(each.number()) ? each.replicas() : NOBODY) {
        check(
            at.partition().replica().stable(datacenter) <= lost.cut() || ledgers.size() > 1,
            "some replica has what is said to be lost");
      }
    }
  }

  /** Whether a datacenter has lost too many nodes to elect a leader. */
  boolean isShort(int datacenter) {
    List<Integer> there = placement.nodes().get(datacenter);
    return there.stream().filter(each -> !run.isLost(each)).count() <= there.size() / 2;
  }

  boolean isAnyFast() {
    return run.nodes().stream().anyMatch(each -> each.clock().skewMillis() > FAST_MILLIS);
  }

  // --- while it runs -----------------------------------------------------------------------------

  void started(WorldReplica at) {
    Watched now = new Watched();
    watched.put(at, now);
    at.partition()
        .replica()
        .forEach(each -> now.latestTime = Math.max(now.latestTime, each.version().time()));
    checkStable(at, now);
  }

  void restored(WorldReplica at) {
    restores++;
    started(at);
  }

  void proposed(WorldReplica at, byte[] command) {
    Command decoded = CommandCodec.decode(command);
    if (decoded instanceof Command.Local local) {
      long time = local.write().time();
      check(
          time > watched.get(at).latestTime,
          "a timestamp is not later than what its leader had applied");
      long ahead = HybridClock.millis(time) - WorldClock.trueMillis(run.simulation());
      check(ahead < AHEAD_MILLIS_MAX, "a timestamp is " + ahead + " ms ahead");
    } else if (decoded instanceof Command.Purge) {
      purges++;
    }
  }

  void applies(WorldReplica at, RaftEntry entry) {
    if (entry.content() != null
        && CommandCodec.decode(entry.content()) instanceof Command.Local local) {
      watched.get(at).before = at.partition().replica().get(local.write().key());
    }
  }

  void applied(WorldReplica at, RaftEntry entry) {
    Watched now = watched.get(at);
    if (entry.content() != null) {
      Command command = CommandCodec.decode(entry.content());
      if (command instanceof Command.Local local) {
        now.latestTime = Math.max(now.latestTime, local.write().time());
        local(at, entry.index(), local.write());
      } else if (command instanceof Command.Replicated replicated) {
        for (RemoteWrite each : replicated.writes()) {
          if (each.key() != null
              && each.position() <= at.partition().replica().stable(replicated.origin())) {
            now.latestTime = Math.max(now.latestTime, each.time());
          }
        }
      } else if (command instanceof Command.Merged) {
        merges++;
      }
    }
    checkStable(at, now);
  }

  private void local(WorldReplica at, long index, LocalWrite write) {
    Replica replica = at.partition().replica();
    if (!replica.hadEffect(index)) {
      return;
    }
    Found before = watched.get(at).before;
    if (write.condition() != null) {
      boolean held =
          write.condition().time() == 0
              ? before.value() == null
              : before.version().time() == write.condition().time()
                  && before.version().datacenter() == write.condition().datacenter();
      check(held, "a write took effect though its condition did not hold");
    }
    int self = replica.datacenter();
    long position = replica.position(index);
    Version version = new Version(write.time(), self, position);
    Ledger ledger = ledgers.get(at.number());
    Effect effect = new Effect(text(write.key()), version, write.value() == null);
    Effect known = ledger.byPosition.get(self).putIfAbsent(position, effect);
    check(known == null || known.equals(effect), "two replicas differ at " + position);
    Author author = new Author(self, write.id().session(), write.id().number());
    Long first = ledger.once.putIfAbsent(author, position);
    check(first == null || first == position, "a write took effect twice: " + write.id());
    if (known == null) {
      for (WorldNode each : run.nodes()) {
        if (each.isUp()) {
          Replica other = each.replica(at.number()).partition().replica();
          check(
              other.safeTime(self) < write.time() || other.stable(self) >= position,
              "a write of an earlier time than is safe was made");
        }
      }
    }
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** Lemma A.1, for what is new since this was looked at last. */
  private void checkStable(WorldReplica at, Watched now) {
    Replica replica = at.partition().replica();
    for (int i = 0; i < placement.datacenters(); i++) {
      long before = now.stable[i];
      long stable = replica.stable(i);
      now.stable[i] = stable;
      if (stable > before) {
        ledgers
            .get(at.number())
            .byPosition
            .get(i)
            .subMap(before, false, stable, true)
            .values()
            .forEach(each -> checkHas(at, each));
      }
    }
  }

  private void checkHas(WorldReplica at, Effect effect) {
    Found found = at.partition().replica().get(effect.key().getBytes(StandardCharsets.UTF_8));
    boolean has = !effect.version().wins(found.version());
    check(
        has || isForgotten(at, effect, found),
        () -> "node " + at.node() + " has " + found.version() + " and lacks " + effect);
  }

  /** Whether a deletion that wins over a write is known at the replica, and was forgotten. */
  private boolean isForgotten(WorldReplica at, Effect effect, Found found) {
    return !found.version().isThere()
        && ledgers.get(at.number()).byPosition.stream()
            .flatMap(each -> each.values().stream())
            .filter(each -> each.isDeletion() && each.key().equals(effect.key()))
            .anyMatch(each -> !effect.version().wins(each.version()));
  }

  private void check(boolean holds, Supplier<String> rule) {
    if (!holds) {
      throw new Broken(rule.get());
    }
  }

  void looked(WorldReplica at) {
    Watched now = watched.get(at);
    Replica replica = at.partition().replica();
    for (int i = 0; i < placement.datacenters(); i++) {
      long safe = replica.safeTime(i);
      if (safe > now.safe[i]) {
        now.safe[i] = safe;
        ledgers
            .get(at.number())
            .byPosition
            .get(i)
            .tailMap(replica.stable(i), false)
            .values()
            .forEach(
                each ->
                    check(each.version().time() > safe, "a write is missing before a safe time"));
      }
    }
  }

  void answered(ReadAnswer answer, long waitNanos, long tookNanos) {
    served++;
    boolean isLate =
        answer instanceof ReadAnswer.NotMet
            || (answer instanceof ReadAnswer.Value value && value.lag().datacenter() >= 0);
    late += isLate ? 1 : 0;
    check(tookNanos <= waitNanos * 1.05 + TICKS_NANOS, "a read waits longer than it may");
    check(!isLate || tookNanos >= waitNanos * 0.9, "a read gives up too soon");
    if (answer instanceof ReadAnswer.Value value) {
      check(
          value.position() == value.found().version().position(),
          "an answer has another position than its version");
    }
  }

  void acknowledged(int partition, byte[] key, Version version) {
    acknowledgements++;
    ledgers.get(partition).acknowledged.add(new Effect(text(key), version, false));
  }

  // --- in the end --------------------------------------------------------------------------------

  void finish(List<WorldClient> clients) {
    List<SessionAccess> history = new ArrayList<>();
    clients.forEach(each -> history.addAll(each.history()));
    Optional<String> guarantee = SessionGuarantees.check(history, this::isDeleted);
    check(guarantee.isEmpty(), guarantee.orElse(""));
    for (int i = 0; i < ledgers.size(); i++) {
      finish(i);
    }
  }

  /** What has a value: of a datacenter that is lost, deletions are kept by some. */
  private static Map<String, Version> content(Partition partition) {
    Map<String, Version> content = new HashMap<>();
    partition
        .replica()
        .forEach(
            each -> {
              if (each.value() != null) {
                content.put(text(each.key()), each.version());
              }
            });
    return content;
  }

  private boolean isDeleted(SessionAccess seen) {
    int slash = seen.key().indexOf('/');
    Version version = new Version(seen.time(), seen.datacenter(), 0);
    return ledgers.get(Integer.parseInt(seen.key().substring(0, slash))).byPosition.stream()
        .flatMap(each -> each.values().stream())
        .filter(each -> each.isDeletion() && each.key().equals(seen.key().substring(slash + 1)))
        .anyMatch(each -> each.version().wins(version));
  }

  private void finish(int partition) {
    Ledger ledger = ledgers.get(partition);
    Partition first = null;
    boolean isAnyLost = false;
    for (WorldNode node : run.nodes()) {
      if (run.isOut(node.number())) {
        isAnyLost |= placement.datacenter(node.number()) != run.removed();
        continue;
      }
      Partition each = node.replica(partition).partition();
      gaps += each.gapsFound();
      check(each.serves(), "node " + node.number() + " does not serve in the end");
      boolean mayWait = isDatacenterLost() && run.removed() < 0;
      check(each.waiting() == 0 || mayWait, "requests wait in the end");
      check(
          run.removed() < 0 || each.replica().isRemoved(run.removed()),
          "a removal is not over in the end");
      removals += run.removed() < 0 ? 0 : 1;
      first = first == null ? each : first;
      check(
          each.replica().stable().equals(first.replica().stable()),
          "stable vectors differ in the end: "
              + each.replica().stable()
              + " "
              + first.replica().stable());
      check(content(each).equals(content(first)), "states differ in the end");
    }
    for (int i = 0; i < placement.datacenters(); i++) {
      finish(partition, i);
    }
    if (first == null) {
      return;
    }
    checkWinners(ledger, first.replica());
    check(
        isAnyLost || deletions(first.replica()) == 0, "deletions that all have are not forgotten");
  }

  /** Of those behind a cut nobody knows that all have them. */
  private static long deletions(Replica replica) {
    List<Version> deletions = new ArrayList<>();
    replica.forEach(
        each -> {
          Version version = each.version();
          boolean isCut = replica.isRemoved(version.datacenter());
          if (each.value() == null
              && !(isCut && version.position() > replica.stable(version.datacenter()))) {
            deletions.add(version);
          }
        });
    return deletions.size();
  }

  private void finish(int partition, int datacenter) {
    List<Integer> there = placement.nodes().get(datacenter);
    if (isShort(datacenter) || datacenter == run.removed()) {
      return;
    }
    int leaders = 0;
    long slowest = Long.MAX_VALUE;
    for (int node : there) {
      if (!run.isLost(node)) {
        slowest = Math.min(slowest, run.nodes().get(node).clock().skewMillis());
      }
    }
    for (int node : there) {
      if (!run.isLost(node) && run.nodes().get(node).replica(partition).partition().leads()) {
        leaders++;
        check(
            run.nodes().get(node).clock().skewMillis() <= slowest + FAST_MILLIS,
            "a leader's clock is far ahead of others");
      }
    }
    check(leaders == 1, "datacenter " + datacenter + " has " + leaders + " leaders in the end");
  }

  /** Some writes of a datacenter that was removed are left though they are behind the cut. */
  private static boolean isBehindCut(Found found, Replica replica) {
    int datacenter = found.version().datacenter();
    return replica.isRemoved(datacenter) && found.version().position() > replica.stable(datacenter);
  }

  private void checkWinners(Ledger ledger, Replica replica) {
    Map<String, Effect> winners = new HashMap<>();
    for (int i = 0; i < placement.datacenters(); i++) {
      boolean isLost = placement.nodes().get(i).stream().allMatch(run::isOut);
      NavigableMap<Long, Effect> written = ledger.byPosition.get(i);
      check(
          isLost || written.isEmpty() || written.lastKey() <= replica.stable(i),
          "writes of datacenter " + i + " are lost");
      for (Effect each : written.headMap(replica.stable(i), true).values()) {
        winners.merge(
            each.key(), each, (one, other) -> other.version().wins(one.version()) ? other : one);
      }
    }
    for (Effect each : winners.values()) {
      Found found = replica.get(each.key().getBytes(StandardCharsets.UTF_8));
      boolean isForgotten = each.isDeletion() && !found.version().isThere();
      check(
          isForgotten || found.version().equals(each.version()) || isBehindCut(found, replica),
          () -> each + " should have won, not " + found.version());
    }
    for (Effect each : ledger.acknowledged) {
      int at = each.version().datacenter();
      Effect written = ledger.byPosition.get(at).get(each.version().position());
      check(
          written != null && written.version().equals(each.version()),
          () -> each + " was acknowledged and is not in the log");
    }
  }
}
