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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares each answer with the state at its zxid: nothing invented, nothing mixed, no part of a
 * transaction without the others, versions without gaps, and failures that are true.
 *
 * <p>Whether that state was new enough is the business of {@link ZnodeTimes}.
 */
final class ZnodeStates {
  private static final int NO_NODE = -101;
  private static final int BAD_VERSION = -103;
  private static final int NODE_EXISTS = -110;
  private static final int NOT_EMPTY = -111;

  private final ZnodeTimelines timelines;
  private final List<String> violations = new ArrayList<>();
  private final Map<String, TreeMap<Long, Integer>> childVersions = new HashMap<>();

  /** By path, the zxids at which it was found absent, with whoever told it. */
  private final Map<String, TreeMap<Long, ZnodeCall>> absences = new HashMap<>();

  private ZnodeStates(ZnodeTimelines timelines) {
    this.timelines = timelines;
  }

  /** What was wrong with the answers. */
  static List<String> judge(ZnodeHistory history, ZnodeTimelines timelines) {
    ZnodeStates states = new ZnodeStates(timelines);
    List<ZnodeCall> ended = history.calls().stream().filter(ZnodeCall::ended).toList();
    ended.forEach(states::collectAbsences);
    ended.forEach(states::judge);
    states.judgeNames(ended);
    timelines.paths().forEach(states::judgeVersions);
    return states.violations;
  }

  private void found(String what, Object expected, ZnodeCall call) {
    violations.add(what + "; expected " + expected + ": " + call);
  }

  // ---- absence

  private void collectAbsences(ZnodeCall call) {
    for (ZnodeStep step : call.steps()) {
      if (step.error() == NO_NODE && step.kind().needsNode() && aloneOn(call, step)) {
        absences
            .computeIfAbsent(step.path(), any -> new TreeMap<>())
            .merge(call.zxid(), call, (one, other) -> one);
      }
    }
  }

  /** Where an earlier part of the same transaction touches the node, the state is not known. */
  private static boolean aloneOn(ZnodeCall call, ZnodeStep step) {
    return call.steps().stream().filter(each -> each.path().equals(step.path())).count() == 1;
  }

  private void absent(ZnodeCall call, ZnodeStep step) {
    ZnodeChange last = timelines.lastOfNode(step.path(), call.zxid());
    if (last != null && last.leavesNode() && !timelines.mayBeGone(step.path(), last, call)) {
      found("A node is missing", last, call);
    }
  }

  // ---- single answers

  private void judge(ZnodeCall call) {
    for (ZnodeStep step : call.steps()) {
      if (!aloneOn(call, step)) {
        continue;
      }
      if (step.error() != 0) {
        judgeFailure(call, step);
      } else if (call.writes()) {
        if (call.error() == 0) {
          judgeWrite(call, step);
        }
      } else if (step.stat() != null) {
        present(call, step);
      }
    }
  }

  private void judgeFailure(ZnodeCall call, ZnodeStep step) {
    String path = step.path();
    ZnodeChange last = timelines.lastOfNode(path, call.zxid());
    switch (step.error()) {
      case NO_NODE -> {
        if (step.kind().needsNode()) {
          absent(call, step);
        }
      }
      case NODE_EXISTS -> {
        boolean there = last != null && last.leavesNode();
        if (!there && !timelines.mayBeCreated(path, call)) {
          found("A node is said to exist", last, call);
        }
      }
      case BAD_VERSION -> judgeBadVersion(call, step, last);
      case NOT_EMPTY -> {
        boolean any =
            timelines.namesBelow(path).stream()
                .map(name -> timelines.lastOfNode(path + "/" + name, call.zxid()))
                .anyMatch(each -> each != null && each.leavesNode());
        if (!any
            && timelines.namesBelow(path).stream()
                .noneMatch(name -> timelines.mayBeCreated(path + "/" + name, call))) {
          found("A node is said to have children", "none", call);
        }
      }
      default -> {}
    }
  }

  private void judgeBadVersion(ZnodeCall call, ZnodeStep step, ZnodeChange last) {
    String path = step.path();
    if (step.kind() == ZnodeStep.Kind.SET_ACL) {
      return;
    }
    boolean there = last != null && last.leavesNode();
    if (!there && !timelines.mayBeCreated(path, call)) {
      found("A version is refused of a node that is missing", last, call);
    } else if (there
        && last.version() == step.expected()
        && !timelines.mayBeSet(path, call)
        && !timelines.mayBeGone(path, last, call)) {
      found("A version is refused that is right", last, call);
    }
  }

  private void judgeWrite(ZnodeCall call, ZnodeStep step) {
    String path = step.path();
    // What was there just before.
    ZnodeChange before = timelines.lastOfNode(path, call.zxid() - 1);
    boolean there = before != null && before.leavesNode();
    if (step.kind().creates()) {
      if (there && !timelines.mayBeGone(path, before, call)) {
        found("A node is created that was there", before, call);
      }
    } else if (step.kind().needsNode()) {
      if (!there && !timelines.mayBeCreated(path, call)) {
        found("A node is changed that was missing", before, call);
      } else if (there
          && step.kind() != ZnodeStep.Kind.SET_ACL
          && step.expected() != ZnodeStep.ANY
          && before.version() != ZnodeChange.UNKNOWN
          && before.version() != step.expected()
          && !timelines.mayBeSet(path, call)
          && !timelines.mayBeGone(path, before, call)) {
        found("A version is accepted that is wrong", before, call);
      }
    }
    if (step.stat() != null) {
      present(call, step);
    }
  }

  /** The node was there, with this Stat, after all up to the zxid. */
  private void present(ZnodeCall call, ZnodeStep step) {
    String path = step.path();
    ZnodeStat stat = step.stat();
    ZnodeChange last = timelines.lastOfNode(path, call.zxid());
    if (last == null || last.zxid() != stat.mzxid() || !last.leavesNode()) {
      found("Shows another state than that of its zxid", last, call);
      return;
    }
    if (last.version() != ZnodeChange.UNKNOWN && last.version() != stat.version()) {
      found("Shows a version that is not that of the change", last, call);
    }
    if (step.data() != null) {
      judgeData(call, step, last);
    }
    judgeAcl(call, step);
    resurrected(call, step);
    // The Stat of a part of a transaction does not show what the next parts do.
    if (!call.writes() || call.steps().size() == 1) {
      judgeChildren(call, step);
    }
  }

  private void judgeChildren(ZnodeCall call, ZnodeStep step) {
    ZnodeStat stat = step.stat();
    ZnodeChange children = timelines.lastOfChildren(step.path(), call.zxid());
    if (children != null && children.zxid() > Math.max(stat.pzxid(), stat.czxid())) {
      found("Shows its children as they were before", children, call);
    }
    Integer version =
        childVersions
            .computeIfAbsent(step.path() + " " + stat.czxid(), any -> new TreeMap<>())
            .put(stat.pzxid(), stat.cversion());
    if (version != null && version != stat.cversion()) {
      found("Two versions of one state of the children", version, call);
    }
    if (step.children() != null) {
      judgeChildNames(call, step);
    }
  }

  private void judgeData(ZnodeCall call, ZnodeStep step, ZnodeChange last) {
    if (last.data() != null && !last.data().equals(step.data())) {
      found("Shows data of another change", last, call);
    }
    ZnodeCall writer = timelines.writerOf(step.data());
    if (writer == null || writer.beginNanos() > call.endNanos()) {
      found("Shows data that nobody had written", "nothing", call);
    } else if (writer.steps().stream()
        .noneMatch(
            each -> step.data().equals(each.argument()) && step.path().startsWith(each.path()))) {
      found("Shows data of another node", writer, call);
    }
  }

  private void judgeAcl(ZnodeCall call, ZnodeStep step) {
    ZnodeChange acl = timelines.lastOfAcl(step.path(), call.zxid());
    int known =
        acl == null || acl.zxid() < step.stat().czxid() || acl.version() == ZnodeChange.UNKNOWN
            ? 0
            : acl.version();
    int shown = step.stat().aversion();
    if (shown < known || (shown > known && !timelines.mayHaveOtherAcl(step.path(), call))) {
      found("Shows another version of the access list", acl, call);
    }
  }

  private void resurrected(ZnodeCall call, ZnodeStep step) {
    TreeMap<Long, ZnodeCall> absent = absences.get(step.path());
    Map.Entry<Long, ZnodeCall> before = absent == null ? null : absent.floorEntry(call.zxid());
    if (before != null && before.getKey() > step.stat().czxid()) {
      found("Is there again after it was gone", before.getValue(), call);
    }
  }

  private void judgeChildNames(ZnodeCall call, ZnodeStep step) {
    if (step.children().size() != step.stat().numChildren()) {
      found("The names are not as many as the Stat says", step.stat().numChildren(), call);
    }
    TreeSet<String> names = new TreeSet<>(step.children());
    for (String name : timelines.namesBelow(step.path())) {
      String child = step.path() + "/" + name;
      ZnodeChange last = timelines.lastOfNode(child, call.zxid());
      boolean there = last != null && last.leavesNode();
      if (there && !names.contains(name) && !timelines.mayBeGone(child, last, call)) {
        found("A child is missing", name + ": " + last, call);
      }
      if (!there && names.contains(name) && !timelines.mayBeCreated(child, call)) {
        found("A child is there that should not be", name + ": " + last, call);
      }
    }
  }

  // ---- many answers together

  /** The names of sequential nodes are given once, whatever is lost. */
  private void judgeNames(List<ZnodeCall> ended) {
    Map<String, ZnodeCall> given = new HashMap<>();
    for (ZnodeCall call : ended) {
      for (ZnodeStep step : call.steps()) {
        if (call.error() == 0 && step.kind() == ZnodeStep.Kind.CREATE_SEQUENTIAL) {
          ZnodeCall before = given.put(step.path(), call);
          if (before != null) {
            found("A sequential name is given twice", before, call);
          }
        }
      }
    }
  }

  /** From change to change of one node the version grows by one. */
  private void judgeVersions(String path) {
    ZnodeChange before = null;
    for (ZnodeChange change : timelines.ofNode(path)) {
      if (!timelines.permanent(change.zxid())) {
        continue;
      }
      if (change.kind() == ZnodeChange.Kind.SET
          && before != null
          && before.leavesNode()
          && before.version() != ZnodeChange.UNKNOWN
          && change.version() != ZnodeChange.UNKNOWN) {
        int missing = change.version() - before.version() - 1;
        if (missing < 0 || missing > timelines.setsUnknown(path, change.zxid())) {
          violations.add(
              "The versions of "
                  + path
                  + " do not follow each other: "
                  + before
                  + ", then "
                  + change);
        }
      }
      before = change;
    }
    String prefix = path + " ";
    childVersions.forEach(
        (node, versions) -> {
          if (node.startsWith(prefix)) {
            judgeChildVersions(node, versions);
          }
        });
  }

  private void judgeChildVersions(String node, Map<Long, Integer> versions) {
    int before = -1;
    for (Map.Entry<Long, Integer> each : versions.entrySet()) {
      if (each.getValue() <= before) {
        violations.add(
            "The versions of the children of %s do not grow: %s".formatted(node, versions));
        return;
      }
      before = each.getValue();
    }
  }
}
