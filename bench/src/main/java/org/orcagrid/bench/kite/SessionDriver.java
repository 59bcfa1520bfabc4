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
package org.orcagrid.bench.kite;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestListener;
import org.orcagrid.ddp.store.Bytes;

/**
 * A session in a closed loop. It runs in the thread of its node's worker, as the paper's clients
 * are on the machines of their nodes (section 5.1): when a request has ended, it makes the accesses
 * that the node's copy can answer at once, up to a burst, and then submits the next request.
 *
 * <p>Relaxed writes are submitted, too: in the worker's own thread that costs less than to write
 * first and have it announced later.
 */
public final class SessionDriver implements RequestListener, ClosedLoop {
  private final NodeSession session;
  private final KitePlan.Grid plan;

  /** Its node's, null if nobody asks what was done when. */
  private final Timeline timeline;

  private final SplittableRandom random;
  private final Bytes key = new Bytes(Long.BYTES);
  private final Bytes value;
  private final Bytes read = new Bytes(64);

  /** Written by the worker, once a burst. */
  private final AtomicLong done = new AtomicLong();

  private volatile Mix mix;
  private volatile boolean stopping;
  private volatile boolean idle = true;
  private volatile Outcome bad;

  /**
   * A driver that is idle.
   *
   * @param session one that nobody else uses
   * @param plan what is read and written
   * @param seed of its random choices
   */
  public SessionDriver(NodeSession session, KitePlan.Grid plan, long seed) {
    this(session, plan, null, seed);
  }

  SessionDriver(NodeSession session, KitePlan.Grid plan, Timeline timelineOrNull, long seed) {
    this.session = session;
    this.plan = plan;
    this.timeline = timelineOrNull;
    this.random = new SplittableRandom(seed);
    this.value = new Bytes(plan.valueBytes());
    value.length(plan.valueBytes());
    key.length(Long.BYTES);
  }

  /** Begins; only while it is idle. */
  public void start(Mix next) {
    mix = next;
    stopping = false;
    idle = false;
    submit(chooseKind());
  }

  /** It will be idle soon. */
  @Override
  public void stop() {
    stopping = true;
  }

  /** Whether nothing of it is under way. */
  @Override
  public boolean isIdle() {
    return idle;
  }

  /** Accesses that have ended. */
  public long done() {
    return done.getPlain();
  }

  /** How an access has ended that did not do what it was to do; null if all did. */
  @Override
  public Outcome bad() {
    return bad;
  }

  @Override
  public void onCompleted(Request ended) {
    if (ended.outcome() != Outcome.DONE) {
      bad = ended.outcome();
      idle = true;
      return;
    }
    int made = 1;
    OperationKind kind = chooseKind();
    while (made < plan.burst() && isLocal(kind)) {
      made++;
      kind = chooseKind();
    }
    done.lazySet(done.getPlain() + made);
    if (timeline != null) {
      timeline.add(made, System.nanoTime());
    }
    if (stopping) {
      idle = true;
    } else {
      submit(kind);
    }
  }

  private OperationKind chooseKind() {
    key.buffer().putLong(0, random.nextInt(plan.keys()));
    return mix.choose(random);
  }

  /** Makes a relaxed read if the node's copy will do. */
  private boolean isLocal(OperationKind kind) {
    return kind == OperationKind.READ && session.read(key, read);
  }

  private void submit(OperationKind kind) {
    Request request = session.next();
    if (request == null) {
      bad = Outcome.UNKNOWN;
      idle = true;
      return;
    }
    request.kind(kind);
    request.key().set(key);
    if (kind != OperationKind.READ && kind != OperationKind.ACQUIRE) {
      value.buffer().putLong(0, random.nextLong());
      request.value().set(value);
    }
    request.listener(this);
    session.submit(request);
  }
}
