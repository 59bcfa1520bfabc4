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
package org.orcagrid.simulator.membership;

import java.util.List;

/** What goes wrong in a run of the membership, as its seed has it. */
final class MembershipFaults {
  private final MembershipRun run;

  MembershipFaults(MembershipRun run) {
    this.run = run;
  }

  /** Plans some faults, each of which begins within this time. */
  void plan(long nanosMax) {
    int faults = run.simulation().random().nextInt(12);
    for (int i = 0; i < faults; i++) {
      long at = run.simulation().between(0, nanosMax);
      SimulatedMember member = run.member(run.simulation().random().nextInt(run.nodes()));
      long during = run.simulation().between(1, 4 * run.times().leaseNanos());
      switch (run.simulation().random().nextInt(12)) {
        case 0 -> run.simulation().after(at, () -> kill(List.of(member), during));
        case 1 -> run.simulation().after(at, () -> kill(run.members(), during));
        case 2, 3 -> run.simulation().after(at, () -> stop(member, during));
        case 4 -> run.simulation().after(at, () -> isolate(member.number(), during));
        case 5 -> run.simulation().after(at, () -> flap(during));
        case 6 -> {
          run.simulation().after(at, () -> run.registry().down(true));
          run.simulation().after(at + during, () -> run.registry().down(false));
        }
        case 7 -> {
          // What is asked for while nobody hears a node is done when it is heard again.
          run.simulation().after(at, () -> stop(member, during));
          run.simulation().after(at + during / 2, () -> run.registry().down(true));
          long after = run.simulation().between(1, 2 * run.times().leaseNanos());
          run.simulation().after(at + during + after, () -> run.registry().down(false));
        }
        case 8 -> {
          run.simulation().after(at, () -> cutFromRegistry(member.number(), true));
          run.simulation().after(at + during, () -> cutFromRegistry(member.number(), false));
        }
        case 9 -> run.simulation().after(at, run.registry()::again);
        case 10 -> run.simulation().after(at, () -> hang(member, 2 * during));
        default -> run.simulation().after(at, () -> leave(member));
      }
    }
  }

  /** Kills these; each starts again within a time. */
  void kill(List<SimulatedMember> which, long during) {
    for (SimulatedMember member : which) {
      if (member.isUp()) {
        run.trace("node " + member.number() + " is killed");
        member.kill();
        disconnect(member.number());
        run.simulation()
            .after(
                run.simulation().between(1, during),
                () -> {
                  if (!member.isUp()) {
                    run.trace("node " + member.number() + " starts");
                    member.start();
                  }
                });
      }
    }
  }

  /** Most peers of a node that is killed are told soon that their connections are gone. */
  private void disconnect(int node) {
    for (SimulatedMember peer : run.members()) {
      if (peer.number() != node && run.simulation().chance(70)) {
        run.simulation()
            .after(
                run.simulation().between(1, 20 * MembershipRun.MILLI),
                () -> peer.disconnected(node));
      }
    }
  }

  private void stop(SimulatedMember member, long during) {
    if (member.isUp() && !member.isStopped()) {
      run.trace("node " + member.number() + " is stopped");
      member.stop();
      run.simulation()
          .after(
              during,
              () -> {
                if (member.isStopped()) {
                  run.trace("node " + member.number() + " goes on");
                  member.goOn();
                }
              });
    }
  }

  private void hang(SimulatedMember member, long during) {
    run.trace("the worker of node " + member.number() + " hangs");
    member.hang();
    run.simulation()
        .after(
            during,
            () -> {
              run.trace("the worker of node " + member.number() + " works on");
              member.workOn();
            });
  }

  private void cutFromRegistry(int node, boolean isCut) {
    run.trace("node " + node + (isCut ? " is cut off from the registry" : " reaches the registry"));
    run.registry().cut(node, isCut);
  }

  private void leave(SimulatedMember member) {
    if (member.isUp() && !member.isStopped()) {
      run.trace("node " + member.number() + " leaves");
      member.leave();
    }
  }

  /** One direction, or both, of all links of a node. */
  private void isolate(int node, long during) {
    int kind = run.simulation().random().nextInt(3);
    run.trace("node " + node + " is cut off, " + kind);
    for (int other = 0; other < run.nodes(); other++) {
      if (other != node) {
        if (kind != 0) {
          run.network().cut(node, other);
        }
        if (kind != 1) {
          run.network().cut(other, node);
        }
        int peer = other;
        run.simulation()
            .after(
                during,
                () -> {
                  run.network().join(node, peer);
                  run.network().join(peer, node);
                });
      }
    }
  }

  /** One direction of one link, again and again. */
  private void flap(long during) {
    int from = run.simulation().random().nextInt(run.nodes());
    int to = run.simulation().random().nextInt(run.nodes());
    if (from == to) {
      return;
    }
    run.trace("the link from " + from + " to " + to + " flaps");
    long at = 0;
    while (at < during) {
      run.simulation().after(at, () -> run.network().cut(from, to));
      at += run.simulation().between(1, run.times().leaseNanos());
      run.simulation().after(at, () -> run.network().join(from, to));
      at += run.simulation().between(1, run.times().leaseNanos());
    }
  }
}
