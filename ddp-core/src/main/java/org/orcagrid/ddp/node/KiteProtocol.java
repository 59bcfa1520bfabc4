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
package org.orcagrid.ddp.node;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.orcagrid.ddp.kite.KiteNode;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.KiteWorker;
import org.orcagrid.ddp.kite.LocalAccess;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.kite.Session;
import org.orcagrid.ddp.kite.View;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.Outbox;

/** Kite under the duty cycle. */
final class KiteProtocol implements ProtocolNode {
  private final KiteNode node;
  private final List<KiteWorker> workers = new CopyOnWriteArrayList<>();

  KiteProtocol(KiteNode node) {
    this.node = node;
  }

  @Override
  public Sizes sizes() {
    KiteSettings settings = node.settings();
    KiteSettings.Times times = settings.times();
    return new Sizes(
        settings.nodes(),
        settings.self(),
        settings.workers(),
        settings.sessions(),
        // A node that has gone is not worth holding all sessions back for as long as a release
        // waits.
        Math.min(times.releaseNanos(), times.resendNanos() / 2),
        Math.min(times.backoffNanos(), times.releaseNanos() / 8));
  }

  @Override
  public ReplicaStore store() {
    return node.store();
  }

  @Override
  public ProtocolWorker worker(int number, Outbox outbox, ProtocolWorker.Completions completions) {
    KiteWorker worker =
        new KiteWorker(
            node,
            number,
            outbox,
            ended -> completions.onCompleted(ended.slot(), ended.outcome(), ended.result()));
    workers.add(worker);
    return new Worker(worker);
  }

  @Override
  public LocalCopy localCopy() {
    return new Copy(new LocalAccess(node));
  }

  @Override
  public void offer(View view) {
    node.offer(view);
  }

  @Override
  public boolean isServing() {
    return node.isServing();
  }

  @Override
  public int epoch() {
    return node.isServing() ? node.epoch() : 0;
  }

  @Override
  public long slowReleases() {
    return workers.stream().mapToLong(KiteWorker::slowReleases).sum();
  }

  private record Worker(KiteWorker kite) implements ProtocolWorker {
    @Override
    public boolean isIdle(int slot) {
      return kite.session(slot).isIdle();
    }

    @Override
    public boolean begin(int slot, Request request, long nowNanos) {
      if (!kite.hasRoom(request.kind)) {
        return false;
      }
      Session session = kite.session(slot);
      session.kind(request.kind);
      session.key().set(request.key);
      session.value().set(request.value);
      session.expected().set(request.expected);
      session.delta(request.delta);
      return kite.begin(session, nowNanos);
    }

    @Override
    public boolean announce(int slot, long record, long nowNanos) {
      return kite.announce(kite.session(slot), record, nowNanos);
    }

    @Override
    public boolean mayBeOurs(Message message) {
      return kite.mayBeOurs(message);
    }

    @Override
    public void onMessage(int from, Message message, long nowNanos) {
      kite.onMessage(from, message, nowNanos);
    }

    @Override
    public void poll(long nowNanos) {
      kite.poll(nowNanos);
    }

    @Override
    public boolean isOver() {
      return kite.isReplaced();
    }

    @Override
    public boolean isBusy() {
      return kite.isBusy();
    }
  }

  private record Copy(LocalAccess access) implements LocalCopy {
    @Override
    public boolean read(Bytes key, Bytes into) {
      return access.readValue(key, into);
    }

    @Override
    public Outcome write(Bytes key, Bytes value) {
      return access.write(key, value);
    }

    @Override
    public long record() {
      return access.record();
    }
  }
}
