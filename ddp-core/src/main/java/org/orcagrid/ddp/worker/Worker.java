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
package org.orcagrid.ddp.worker;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.ddp.transport.Clock;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.ddp.vital.VitalTask;

/**
 * A worker of a node. Its duty cycle takes packets in, runs what other threads have given it, lets
 * each of its engines do its work, and sends what has gathered. It never waits to fill a packet
 * (Kite, section 5.3), and sleeps when there is nothing to do.
 */
public final class Worker implements Runnable {
  private static final System.Logger LOG = System.getLogger(Worker.class.getName());

  private static final int PACKETS_AT_ONCE = 16;
  private static final int TASKS_AT_ONCE = 256;
  private static final int TASKS_AHEAD = 32;

  /**
   * Idle cycles before it sleeps, where there are processors for others meanwhile, and where not.
   */
  private static final int SPINS = 20;

  private static final int SPINS_OF_FEW = 1;

  /** A worker that spins leaves so many processors to callers and to other workers. */
  private static final int PROCESSORS_LEFT = 2;

  private final Workers node;
  private final int number;
  private final Endpoint endpoint;
  private final Clock clock;
  private final Packets.Link link;
  private final int spins;
  private final PacketHandler handler = this::onPacket;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** The tasks that run next: from {@link #nextTask} up to {@link #taskEnd}. */
  private final Runnable[] ahead = new Runnable[TASKS_AHEAD];

  private int nextTask;
  private int taskEnd;

  // Those of an engine are at the same place in both.
  private Engine[] engines = {};
  private Packets[] packets = {};

  /** Whose a packet is, by its part; null if it is nobody's. */
  private final Engine[] owners = new Engine[PacketHeader.PARTITIONS + 1];

  /** Grows with whatever it does, and in each cycle; its own, for all to see. */
  private final AtomicLong progress = new AtomicLong();

  private long nowNanos;
  private boolean inOrder = true;
  private volatile Thread me;
  private volatile boolean stopping;
  private volatile boolean ended;

  Worker(Workers node, int number, Endpoint endpoint, int nodes, int workers) {
    this.node = node;
    this.spins = spins(Runtime.getRuntime().availableProcessors(), workers);
    this.number = number;
    this.endpoint = endpoint;
    this.clock = node.clock();
    this.link = new Packets.Link(endpoint, nodes);
    this.nowNanos = clock.nanoTime();
  }

  /**
   * How often a worker looks in vain before it sleeps: what it waits for may need its processor.
   */
  static int spins(int processors, int workers) {
    return processors >= workers + PROCESSORS_LEFT ? SPINS : SPINS_OF_FEW;
  }

  /** Has one more engine; before the worker runs. */
  void host(NodePart part) {
    Packets way = link.open();
    Engine engine = part.engine(this, way);
    if (owners[engine.part()] != null) {
      throw new IllegalStateException("Two engines take packets of part " + engine.part());
    }
    owners[engine.part()] = engine;
    way.part(engine.part());
    int count = engines.length + 1;
    engines = Arrays.copyOf(engines, count);
    engines[count - 1] = engine;
    packets = Arrays.copyOf(packets, count);
    packets[count - 1] = way;
  }

  // --- any thread --------------------------------------------------------------------------------

  /** Its number in the node. */
  public int number() {
    return number;
  }

  /** Its connections. What engines send goes through their {@link Packets}. */
  public Endpoint endpoint() {
    return endpoint;
  }

  /** The node's clock. */
  public Clock clock() {
    return clock;
  }

  /** What has ended the node, null if nothing has or it was closed. */
  public Throwable failure() {
    return node.failure();
  }

  /**
   * A number that changes while the worker gets on: with each cycle, packet and task. Of one that
   * waits in one of these, or is in an endless loop, it stays the same.
   */
  public long progress() {
    return progress.getAcquire();
  }

  /** Whether this is the worker's thread. */
  public boolean isMe() {
    return Thread.currentThread() == me;
  }

  /** Does something in the worker's thread, after all that was given before. */
  public void execute(Runnable task) {
    tasks.add(task);
    if (ended) {
      runLeft();
    } else {
      wakeUp();
    }
  }

  /** What was given too late: the engines have ended, and whoever waits is told so. */
  private synchronized void runLeft() {
    for (Runnable task = nextTask(); task != null; task = nextTask()) {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        // Those behind it wait, too.
        node.fail(e);
      }
    }
  }

  /** Has it look for work, if it sleeps. */
  public void wakeUp() {
    if (!isMe()) {
      endpoint.wakeUp();
    }
  }

  void stop() {
    stopping = true;
    endpoint.wakeUp();
  }

  // --- for the engines ---------------------------------------------------------------------------

  /** The time of what is being done; the worker's thread only. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Waits, and does nothing else meanwhile; the worker's thread only. */
  public void pause(long nanos) {
    LockSupport.parkNanos(this, nanos);
    nowNanos = clock.nanoTime();
  }

  /** It has got on with something that takes long; the worker's thread only. */
  public void progressed() {
    progress.setRelease(progress.getPlain() + 1);
  }

  // --- the duty cycle ----------------------------------------------------------------------------

  @Override
  public void run() {
    me = Thread.currentThread();
    try {
      new VitalTask("Worker " + number + " of a node", this::cycle, this::die).run();
    } finally {
      end();
    }
  }

  /** The node is told before its clients are: what they ask next is refused with the reason. */
  private void die(Throwable reason) {
    inOrder = false;
    node.fail(reason);
  }

  private void end() {
    stopping = true;
    try {
      for (Engine each : engines) {
        end(each);
      }
    } finally {
      ended = true;
      try {
        // Here, as a transport may ask that one thread does everything with an endpoint.
        endpoint.close();
      } finally {
        runLeft();
      }
    }
  }

  private void end(Engine engine) {
    try {
      engine.end(node.failure(), inOrder);
    } catch (RuntimeException | Error e) {
      // Those who wait for the other engines are told, too.
      LOG.log(
          System.Logger.Level.ERROR, "An engine failed while it was closed: worker=" + number, e);
      node.fail(e);
    }
  }

  private void cycle() {
    int idleCycles = 0;
    while (!stopping && !isOver()) {
      int work = doWork();
      idleCycles = work == 0 ? idleCycles + 1 : 0;
      if (idleCycles > spins) {
        endpoint.await(sleepNanosMax());
      } else if (work == 0) {
        Thread.onSpinWait();
      }
    }
  }

  private boolean isOver() {
    for (Engine each : engines) {
      if (!each.isOver()) {
        return false;
      }
    }
    return true;
  }

  private long sleepNanosMax() {
    long most = Long.MAX_VALUE;
    for (Engine each : engines) {
      most = Math.min(most, each.sleepNanosMax());
    }
    return most;
  }

  /** One duty cycle; how much there was to do. */
  private int doWork() {
    progressed();
    flushRefused();
    int work = endpoint.poll(handler, PACKETS_AT_ONCE);
    nowNanos = clock.nanoTime();
    work += runTasks();
    for (int i = 0; i < engines.length; i++) {
      packets[i].beginTurn();
      Engine engine = engines[i];
      work += engine.work(nowNanos);
      engine.flush();
      work += engine.tell();
    }
    return work;
  }

  /** Who found a link full comes before those who answer what arrives next. */
  private void flushRefused() {
    for (int i = 0; engines.length > 1 && i < engines.length; i++) {
      if (packets[i].wasRefused()) {
        engines[i].flush();
      }
    }
  }

  private int runTasks() {
    int done = 0;
    while (done < TASKS_AT_ONCE) {
      Runnable task = nextTask();
      if (task == null) {
        break;
      }
      task.run();
      progressed();
      done++;
    }
    return done;
  }

  private Runnable nextTask() {
    if (nextTask == taskEnd) {
      takeTasks();
    }
    if (nextTask == taskEnd) {
      return null;
    }
    Runnable task = ahead[nextTask];
    ahead[nextTask++] = null;
    return task;
  }

  private void takeTasks() {
    nextTask = 0;
    taskEnd = 0;
    while (taskEnd < TASKS_AHEAD) {
      Runnable task = tasks.poll();
      if (task == null) {
        break;
      }
      ahead[taskEnd++] = task;
      if (task instanceof AheadTask looks) {
        looks.lookAhead();
      }
    }
  }

  private void onPacket(int from, ByteBuffer packet, int length) {
    int part = PacketHeader.part(packet, length);
    Engine owner = owners[part];
    if (owner == null) {
      throw new MalformedPacketException(
          "A packet of node " + from + " is for part " + part + ", which this node has not");
    }
    nowNanos = clock.nanoTime();
    owner.onPacket(from, packet, length, nowNanos);
    progressed();
  }
}
