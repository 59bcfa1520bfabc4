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
package org.orcagrid.simulator.checker.znode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * All changes of all znodes that any answer tells of, by their place in the order of transactions.
 *
 * <p>A zxid has an epoch in its upper half. A server that has applied up to a zxid of an epoch has
 * applied every transaction of that epoch below it. Of earlier epochs it has what survived. Of
 * those a change is known to have survived if it, or a later one of its epoch, was <i>shown</i>:
 * then it counts as permanent. Another one may be lost, once its epoch is over.
 */
final class ZnodeTimelines {
  private static final int EPOCH_BITS = 32;

  /**
   * A client was shown the state up to a zxid.
   *
   * @param nanos when
   */
  record Shown(long zxid, long nanos) {}

  /** What is known of one path. */
  private static final class Timeline {
    private final TreeMap<Long, ZnodeChange> node = new TreeMap<>();
    private final TreeMap<Long, ZnodeChange> acl = new TreeMap<>();
    private final TreeMap<Long, ZnodeChange> children = new TreeMap<>();
    private final TreeSet<String> names = new TreeSet<>();
    private final List<ZnodeCall> unknownCreates = new ArrayList<>();
    private final List<ZnodeCall> unknownSets = new ArrayList<>();
    private final List<ZnodeCall> unknownDeletes = new ArrayList<>();
    private final List<ZnodeCall> unknownAcls = new ArrayList<>();
  }

  private final Map<String, Timeline> timelines = new HashMap<>();
  private final Map<Long, Long> shownOfEpoch = new HashMap<>();
  private final List<Shown> shown = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final Map<String, ZnodeCall> writerOf = new HashMap<>();

  ZnodeTimelines(ZnodeHistory history) {
    history.calls().forEach(this::collect);
    for (ZnodeWatch watch : history.watches()) {
      if (watch.fired() && watch.eventZxid() > 0) {
        onShown(watch.eventZxid(), watch.eventNanos());
      }
    }
    history.calls().stream().filter(ZnodeCall::ended).forEach(this::collectShown);
  }

  // ---- collecting

  private void collect(ZnodeCall call) {
    for (ZnodeStep step : call.steps()) {
      if (step.argument() != null && writerOf.put(step.argument(), call) != null) {
        throw new IllegalArgumentException("Written twice: " + step.argument());
      }
      if (!call.ended()) {
        collectUnknown(call, step);
      } else if (step.error() == 0 && (call.error() == 0 || !call.writes())) {
        if (step.kind().writes()) {
          collectWrite(call, step);
        }
        if (step.stat() != null) {
          learn(call, step);
        }
      }
    }
  }

  private void collectUnknown(ZnodeCall call, ZnodeStep step) {
    Timeline timeline = of(step.path());
    switch (step.kind()) {
      case CREATE, CREATE_PASSING -> timeline.unknownCreates.add(call);
      case SET -> timeline.unknownSets.add(call);
      case DELETE -> timeline.unknownDeletes.add(call);
      case SET_ACL -> timeline.unknownAcls.add(call);
      case CREATE_SEQUENTIAL, CHECK, READ, SYNC -> {}
    }
    if (step.kind().creates()) {
      of(step.parent()).names.add(step.name());
    }
  }

  private void collectWrite(ZnodeCall call, ZnodeStep step) {
    long zxid = call.zxid();
    ZnodeStat stat = step.stat();
    int version = stat == null ? ZnodeChange.UNKNOWN : stat.version();
    int session = call.session();
    Timeline timeline = of(step.path());
    switch (step.kind()) {
      case CREATE, CREATE_SEQUENTIAL ->
          put(timeline.node, step, change(zxid, ZnodeChange.Kind.CREATE, 0, step, session));
      case CREATE_PASSING ->
          put(timeline.node, step, change(zxid, ZnodeChange.Kind.CREATE_PASSING, 0, step, session));
      case SET ->
          put(timeline.node, step, change(zxid, ZnodeChange.Kind.SET, version, step, session));
      case DELETE ->
          put(
              timeline.node,
              step,
              change(zxid, ZnodeChange.Kind.DELETE, ZnodeChange.UNKNOWN, step, session));
      case SET_ACL ->
          put(
              timeline.acl,
              step,
              change(
                  zxid,
                  ZnodeChange.Kind.ACL,
                  stat == null ? ZnodeChange.UNKNOWN : stat.aversion(),
                  step,
                  session));
      case CHECK, READ, SYNC -> throw new IllegalArgumentException("Does not write: " + step);
    }
    if (step.kind().creates() || step.kind() == ZnodeStep.Kind.DELETE) {
      Timeline parent = of(step.parent());
      parent.names.add(step.name());
      // Several children may come and go in one transaction, by one session.
      put(
          parent.children,
          step,
          new ZnodeChange(zxid, ZnodeChange.Kind.CHILD, ZnodeChange.UNKNOWN, null, session));
    }
  }

  private static ZnodeChange change(
      long zxid, ZnodeChange.Kind kind, int version, ZnodeStep step, int session) {
    return new ZnodeChange(zxid, kind, version, step.argument(), session);
  }

  /** Of a write whose answer got lost, or that servers made, only a later Stat tells the place. */
  private void learn(ZnodeCall call, ZnodeStep step) {
    ZnodeStat stat = step.stat();
    Timeline timeline = of(step.path());
    boolean changed = stat.mzxid() != stat.czxid();
    ZnodeChange.Kind created =
        stat.ephemeralOwner() != 0 ? ZnodeChange.Kind.CREATE_PASSING : ZnodeChange.Kind.CREATE;
    put(
        timeline.node,
        step,
        new ZnodeChange(
            stat.czxid(), created, 0, changed ? null : step.data(), ZnodeChange.UNKNOWN));
    if (changed) {
      put(
          timeline.node,
          step,
          new ZnodeChange(
              stat.mzxid(),
              ZnodeChange.Kind.SET,
              stat.version(),
              step.data(),
              ZnodeChange.UNKNOWN));
    }
    if (stat.pzxid() != stat.czxid()) {
      put(
          timeline.children,
          step,
          new ZnodeChange(
              stat.pzxid(),
              ZnodeChange.Kind.CHILD,
              ZnodeChange.UNKNOWN,
              null,
              ZnodeChange.UNKNOWN));
    }
    if (stat.czxid() > call.zxid() || stat.mzxid() > call.zxid() || stat.pzxid() > call.zxid()) {
      violations.add("Shows what its server had not applied: " + call);
    }
  }

  private void put(NavigableMap<Long, ZnodeChange> into, ZnodeStep step, ZnodeChange change) {
    ZnodeChange before = into.get(change.zxid());
    ZnodeChange merged = before == null ? change : before.merge(change);
    if (merged == null) {
      violations.add("Two stories of one transaction: " + before + ", and " + change + ": " + step);
    } else {
      into.put(change.zxid(), merged);
    }
  }

  // ---- what was shown

  private void collectShown(ZnodeCall call) {
    long nanos = call.endNanos();
    if (call.isTransaction()) {
      boolean gated =
          call.error() != 0
              || call.promise() == ZnodeCall.Promise.IMMEDIATE_DURABILITY
              || call.steps().stream().anyMatch(ZnodeStep::conditional);
      if (gated) {
        onShown(call.zxid(), nanos);
      } else {
        call.steps().forEach(step -> onShown(ofOthers(call, step), nanos));
      }
      return;
    }
    for (ZnodeStep step : call.steps()) {
      if (step.kind() == ZnodeStep.Kind.SYNC && call.error() == 0) {
        onShown(call.zxid(), nanos);
      } else if (step.stat() != null) {
        onShown(step.stat().czxid(), nanos);
        onShown(step.stat().mzxid(), nanos);
        onShown(step.stat().pzxid(), nanos);
        if (step.stat().aversion() > 0) {
          Map.Entry<Long, ZnodeChange> acl = of(step.path()).acl.floorEntry(call.zxid());
          if (acl != null && acl.getValue().version() == step.stat().aversion()) {
            onShown(acl.getKey(), nanos);
          }
        }
      }
    }
  }

  /** What the answer to a plain write tells of its node that its session did not do itself. */
  private long ofOthers(ZnodeCall call, ZnodeStep step) {
    long last = 0;
    Timeline timeline = of(step.path());
    for (TreeMap<Long, ZnodeChange> each :
        List.of(timeline.node, timeline.acl, timeline.children)) {
      for (ZnodeChange change : each.headMap(call.zxid(), false).descendingMap().values()) {
        if (change.zxid() <= last || change.zxid() >>> EPOCH_BITS != call.zxid() >>> EPOCH_BITS) {
          break;
        }
        if (change.session() != ZnodeChange.UNKNOWN && change.session() != call.session()) {
          last = change.zxid();
        }
      }
    }
    return last;
  }

  private void onShown(long zxid, long nanos) {
    if (zxid > 0) {
      shown.add(new Shown(zxid, nanos));
      shownOfEpoch.merge(zxid >>> EPOCH_BITS, zxid, Math::max);
    }
  }

  // ---- asking

  private Timeline of(String path) {
    return timelines.computeIfAbsent(path, any -> new Timeline());
  }

  /** What contradicted itself while it was collected. */
  List<String> violations() {
    return Collections.unmodifiableList(violations);
  }

  /** Whatever was shown to a client, in no order. */
  List<Shown> shown() {
    return Collections.unmodifiableList(shown);
  }

  Set<String> paths() {
    return Collections.unmodifiableSet(timelines.keySet());
  }

  /** Who has tried to write this; null for nobody. */
  ZnodeCall writerOf(String data) {
    return writerOf.get(data);
  }

  /** Whether the change is known to be in every state from its place on. */
  boolean permanent(long zxid) {
    return zxid <= shownOfEpoch.getOrDefault(zxid >>> EPOCH_BITS, -1L);
  }

  private boolean contained(long zxid, long upTo) {
    return zxid <= upTo && (zxid >>> EPOCH_BITS == upTo >>> EPOCH_BITS || permanent(zxid));
  }

  private ZnodeChange last(NavigableMap<Long, ZnodeChange> changes, long upTo) {
    for (ZnodeChange change : changes.headMap(upTo, true).descendingMap().values()) {
      if (contained(change.zxid(), upTo)) {
        return change;
      }
    }
    return null;
  }

  /** The last creation, deletion or change of data in the state up to a zxid; null for none. */
  ZnodeChange lastOfNode(String path, long upTo) {
    return last(of(path).node, upTo);
  }

  /** The last change of the access list in the state up to a zxid. */
  ZnodeChange lastOfAcl(String path, long upTo) {
    return last(of(path).acl, upTo);
  }

  /** The last creation or deletion of a child in the state up to a zxid. */
  ZnodeChange lastOfChildren(String path, long upTo) {
    return last(of(path).children, upTo);
  }

  /** The zxid of the last change of any kind in the state up to a zxid; -1 for none. */
  long lastOfAny(String path, long upTo) {
    long found = -1;
    for (ZnodeChange each :
        new ZnodeChange[] {
          lastOfNode(path, upTo), lastOfAcl(path, upTo), lastOfChildren(path, upTo)
        }) {
      found = each == null ? found : Math.max(found, each.zxid());
    }
    return found;
  }

  /** Every change of the node itself, oldest first. */
  Collection<ZnodeChange> ofNode(String path) {
    return Collections.unmodifiableCollection(of(path).node.values());
  }

  /** The first permanent change after a zxid that fires a watch; null for none. */
  ZnodeChange firstFiring(String path, boolean ofChildren, long after) {
    Timeline timeline = of(path);
    ZnodeChange first = null;
    if (ofChildren) {
      first = firstPermanent(timeline.children, after, false);
    }
    ZnodeChange ofNode = firstPermanent(timeline.node, after, ofChildren);
    return first == null || (ofNode != null && ofNode.zxid() < first.zxid()) ? ofNode : first;
  }

  private ZnodeChange firstPermanent(
      NavigableMap<Long, ZnodeChange> changes, long after, boolean deletionsOnly) {
    for (ZnodeChange change : changes.tailMap(after, false).values()) {
      if (permanent(change.zxid())
          && (!deletionsOnly || change.kind() == ZnodeChange.Kind.DELETE)) {
        return change;
      }
    }
    return null;
  }

  /** The permanent changes of any kind, by their zxids. */
  Set<Long> permanentOf(String path) {
    Timeline timeline = of(path);
    TreeSet<Long> all = new TreeSet<>(timeline.node.keySet());
    all.addAll(timeline.acl.keySet());
    all.addAll(timeline.children.keySet());
    all.removeIf(zxid -> !permanent(zxid));
    return all;
  }

  /** Every name that a child of it had, or was to have. */
  Set<String> namesBelow(String path) {
    return Collections.unmodifiableSet(of(path).names);
  }

  // ---- what nobody was told

  private static boolean begunBefore(List<ZnodeCall> calls, ZnodeCall end) {
    return calls.stream().anyMatch(call -> call.beginNanos() <= end.endNanos());
  }

  /** Of an earlier epoch it is not known whether the end of it was lost. */
  private boolean uncertain(ZnodeChange change, long zxid) {
    return !permanent(change.zxid()) && change.zxid() >>> EPOCH_BITS < zxid >>> EPOCH_BITS;
  }

  private boolean uncertain(String path, Predicate<ZnodeChange> kind, long zxid) {
    return of(path).node.values().stream()
        .anyMatch(change -> kind.test(change) && uncertain(change, zxid));
  }

  /** Whether a deletion that nobody was told of may have come behind {@code last}. */
  boolean mayBeGone(String path, ZnodeChange last, ZnodeCall call) {
    boolean passing =
        of(path).node.headMap(last.zxid(), true).descendingMap().values().stream()
            .filter(ZnodeChange::creates)
            .findFirst()
            .map(create -> create.kind() == ZnodeChange.Kind.CREATE_PASSING)
            .orElse(false);
    return passing
        || begunBefore(of(path).unknownDeletes, call)
        || uncertain(path, change -> !change.leavesNode(), call.zxid());
  }

  /** Whether there may be a creation that nobody was told of. */
  boolean mayBeCreated(String path, ZnodeCall call) {
    return begunBefore(of(path).unknownCreates, call)
        || uncertain(path, ZnodeChange::creates, call.zxid());
  }

  /** Whether there may be a change of data that nobody was told of. */
  boolean mayBeSet(String path, ZnodeCall call) {
    return begunBefore(of(path).unknownSets, call)
        || uncertain(path, change -> change.kind() == ZnodeChange.Kind.SET, call.zxid());
  }

  /** How many changes of data before a zxid there may be that nobody was told of. */
  int setsUnknown(String path, long zxid) {
    return of(path).unknownSets.size()
        + (int) of(path).node.values().stream().filter(each -> uncertain(each, zxid)).count();
  }

  /** Whether there may be a change of the access list that nobody was told of. */
  boolean mayHaveOtherAcl(String path, ZnodeCall call) {
    return begunBefore(of(path).unknownAcls, call)
        || of(path).acl.values().stream().anyMatch(each -> uncertain(each, call.zxid()));
  }
}
