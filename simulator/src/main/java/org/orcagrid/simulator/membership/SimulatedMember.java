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

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.membership.Beat;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.Membership;
import org.orcagrid.ddp.membership.MembershipEffects;
import org.orcagrid.ddp.membership.Registration;
import org.orcagrid.simulator.SimulatedClock;
import org.orcagrid.simulator.Simulation;

/** A node: its process, which can be killed and stopped, its clock, and what it knows. */
final class SimulatedMember {
  private final MembershipRun run;
  private final Simulation simulation;
  private final SimulatedClock clock;
  private final int number;

  /** What has come while the process was stopped. */
  private final List<Runnable> held = new ArrayList<>();

  private Membership membership;
  private int process;

  /** Tells the process from all others, of other nodes too. */
  private long processId;

  private boolean stopped;

  /** Whether its worker does nothing, since when by the clock; its beats need no worker. */
  private boolean hangs;

  private long hangsSince;

  private int told;
  private boolean reading;
  private boolean readAgain;
  private boolean reporting;
  private Registration toReport;
  private boolean beginAgain;

  /** The last view in which it has found all removed keys marked. */
  private int askedIn;

  /** The view by which it has maps, and which of those it has not given up, as a mask. */
  private GridView hosted;

  private int maps;

  /** The life, and until when it serves by the clock. */
  private long life;

  private long servesUntil;

  SimulatedMember(MembershipRun run, int number, SimulatedClock clock) {
    this.run = run;
    this.simulation = run.simulation();
    this.number = number;
    this.clock = clock;
    this.servesUntil = clock.nanos() - 1;
  }

  @Override
  public String toString() {
    return "\n  node "
        + number
        + (membership == null ? " is down" : stopped ? " is stopped" : "")
        + " life "
        + life
        + " serves "
        + serves()
        + " "
        + (membership == null ? "" : membership.view());
  }

  int number() {
    return number;
  }

  boolean isUp() {
    return membership != null;
  }

  boolean isStopped() {
    return stopped;
  }

  long life() {
    return life;
  }

  /**
   * Whether it would tell a client something at this moment, or as soon as it is not stopped any
   * more.
   */
  boolean serves() {
    return membership != null && clock.nanos() - servesUntil < 0;
  }

  int inView() {
    return membership == null || membership.view() == null ? 0 : membership.view().number();
  }

  // --- faults ------------------------------------------------------------------------------------

  void start() {
    process++;
    processId = run.newProcess();
    told = 0;
    reading = false;
    readAgain = false;
    reporting = false;
    toReport = null;
    membership =
        new Membership(
            run.times(),
            run.rules(),
            run.nodes(),
            run.size(),
            number,
            run.newGrid(),
            new MemberEffects(process));
    begin();
    tick(process);
  }

  private void begin() {
    beginAgain = false;
    hosted = null;
    maps = 0;
    life = run.newLife(processId);
    membership.begin(life, processId, "node" + number, clock.nanos());
    afterStep();
    read(process);
  }

  void kill() {
    membership = null;
    stopped = false;
    hangs = false;
    held.clear();
    life = 0;
    process++;
  }

  void stop() {
    stopped = true;
  }

  void goOn() {
    stopped = false;
    List<Runnable> now = List.copyOf(held);
    held.clear();
    now.forEach(Runnable::run);
  }

  void hang() {
    hangs = true;
    hangsSince = clock.nanos();
  }

  void workOn() {
    hangs = false;
  }

  /** Ends this life in good order, and begins another one some time. */
  void leave() {
    step(process, () -> membership.leave(clock.nanos()));
    beginAgain = true;
  }

  /**
   * All processes have marked removed keys in the node's view, once in each view; a worker says so
   * within this time.
   */
  void wantPurge(long nanosMax) {
    int inView = inView();
    if (stopped || inView == 0 || inView == askedIn) {
      return;
    }
    askedIn = inView;
    run.onPurgeWanted(this);
    int ofProcess = process;
    simulation.after(
        simulation.between(0, nanosMax),
        () -> step(ofProcess, () -> membership.wantPurge(inView, clock.nanos())));
  }

  // --- steps -------------------------------------------------------------------------------------

  /** Does something in the process, if it is the same one, and as soon as it is not stopped. */
  private void step(int ofProcess, Runnable action) {
    if (membership == null || process != ofProcess) {
      return;
    }
    if (stopped) {
      held.add(() -> step(ofProcess, action));
      return;
    }
    action.run();
    afterStep();
  }

  private void afterStep() {
    servesUntil = membership.servesUntilNanos();
    run.judge(this);
  }

  /** The connection to a peer is gone. */
  void disconnected(int peer) {
    step(process, () -> membership.onDisconnected(peer, clock.nanos()));
  }

  void arrive(int from, Beat beat) {
    step(process, () -> membership.onBeat(from, beat, clock.nanos()));
  }

  void watched() {
    read(process);
  }

  private void tick(int ofProcess) {
    if (membership == null || process != ofProcess) {
      return;
    }
    step(
        ofProcess,
        () -> {
          // Another life needs the workers.
          if (beginAgain && !hangs && simulation.chance(5)) {
            begin();
          }
          membership.tick(clock.nanos(), hangs ? clock.nanos() - hangsSince : 0);
          if (simulation.chance(3)) {
            read(ofProcess);
          }
          if (!hangs && run.purges()) {
            wantPurge(run.times().leaseNanos());
          }
        });
    simulation.after(simulation.between(1, run.times().beatNanos()), () -> tick(ofProcess));
  }

  private void read(int ofProcess) {
    if (membership == null || process != ofProcess) {
      return;
    }
    if (reading) {
      readAgain = true;
      return;
    }
    reading = true;
    readAgain = false;
    run.registry()
        .read(
            number,
            told,
            answer ->
                step(
                    ofProcess,
                    () -> {
                      reading = false;
                      told += answer.views().size();
                      membership.onRegistry(
                          answer.views(), answer.registered(), answer.removals(), clock.nanos());
                      if (readAgain) {
                        read(ofProcess);
                      }
                    }));
  }

  private void report(int ofProcess) {
    Registration now = toReport;
    if (reporting || now == null || membership == null || process != ofProcess) {
      return;
    }
    reporting = true;
    toReport = null;
    run.registry()
        .report(
            number,
            now,
            () ->
                step(
                    ofProcess,
                    () -> {
                      reporting = false;
                      report(ofProcess);
                    }));
  }

  /** The engine catches up in a while, with its worker's help. */
  private void catchUp(int ofProcess, int view) {
    simulation.after(
        simulation.between(1, run.times().leaseNanos()),
        () ->
            step(
                ofProcess,
                () -> {
                  if (hangs) {
                    catchUp(ofProcess, view);
                  } else {
                    membership.onCaughtUp(view, clock.nanos());
                  }
                }));
  }

  /** Its workers give up copies of maps in a while, and serve them meanwhile. */
  private void giveUp(int ofProcess, int inView) {
    simulation.after(
        simulation.between(1, run.times().leaseNanos() / 2),
        () ->
            step(
                ofProcess,
                () -> {
                  if (hangs) {
                    giveUp(ofProcess, inView);
                  } else if (hosted != null && hosted.shares().givenUpIn() == inView) {
                    maps = run.shares().mapsAt(number, hosted, true);
                    membership.onGaveUp(inView, clock.nanos());
                  }
                }));
  }

  /** The maps that it serves at this moment, as a mask. */
  int servedMaps() {
    return serves() ? maps : 0;
  }

  /** The process catches up with what the others have acknowledged, as a place leaves. */
  private void refresh(int ofProcess, int since) {
    simulation.after(
        simulation.between(1, run.times().leaseNanos()),
        () ->
            step(
                ofProcess,
                () -> {
                  GridView in = membership.view();
                  if (in == null || in.leaving() == null || in.leaving().since() != since) {
                    return;
                  }
                  if (hangs || !in.serves(number)) {
                    refresh(ofProcess, since);
                    return;
                  }
                  run.onRefreshed(processId, since);
                  membership.onRefreshed(since, clock.nanos());
                }));
  }

  private final class MemberEffects implements MembershipEffects {
    private final int ofProcess;

    MemberEffects(int ofProcess) {
      this.ofProcess = ofProcess;
    }

    @Override
    public void send(int peer, Beat beat) {
      run.network().send(number, peer, () -> run.member(peer).arrive(number, beat));
    }

    @Override
    public void report(Registration own) {
      toReport = own;
      SimulatedMember.this.report(ofProcess);
    }

    @Override
    public void make(GridView next) {
      run.registry()
          .make(
              number,
              next,
              made -> step(ofProcess, () -> membership.onMade(next.number(), made, clock.nanos())));
    }

    @Override
    public void read() {
      SimulatedMember.this.read(ofProcess);
    }

    @Override
    public void install(GridView view) {
      run.trace("node " + number + " is in " + view);
      boolean gaveUp =
          hosted != null
              && view.shares().givenUpIn() > 0
              && hosted.shares().equals(view.shares())
              && maps == run.shares().mapsAt(number, hosted, true);
      hosted = view;
      maps = run.shares().mapsAt(number, view, gaveUp);
      catchUp(ofProcess, view.number());
      if (view.shares().givenUpIn() > 0 && view.serving() != 0) {
        giveUp(ofProcess, view.shares().givenUpIn());
      }
      if (view.leaving() != null && !view.isLeaving(number)) {
        refresh(ofProcess, view.leaving().since());
      }
    }

    @Override
    public void left(String reason) {
      run.trace("node " + number + " is left out: " + reason);
      beginAgain = true;
    }
  }
}
