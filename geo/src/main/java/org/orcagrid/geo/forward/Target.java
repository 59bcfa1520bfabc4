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
package org.orcagrid.geo.forward;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.message.GeoMessage;
import org.orcagrid.geo.replica.Command;
import org.orcagrid.geo.replica.MergeStream;
import org.orcagrid.geo.replica.RemoteWrite;

/** What a forwarder knows of another datacenter, and what it has sent there. */
final class Target {
  private final Forwarder forwarder;
  private final Set<GeoRule> rules;
  private final int datacenter;
  private final int[] nodes;

  /** Whom it takes for the leader: a place in {@link #nodes}. */
  private int at;

  /** Whether the leader has answered. */
  private boolean known;

  /** How far that datacenter has come. */
  private PositionVector stable = PositionVector.NONE;

  /** What was fenced here when the state was begun that it has got: a bit for each datacenter. */
  private int handed;

  /** The last entry that it was sent, or need not be, and the last write of these. */
  private long sentTo;

  private long lastWrite;

  /** The last write of each message under way, and its bytes. */
  private final ArrayDeque<UnderWay> underWay = new ArrayDeque<>();

  private long underWayBytes;

  private long progressNanos;
  private long askedNanos;

  /** The state that is being sent, null while writes are. */
  private Merging merging;

  private record UnderWay(long position, long bytes) {}

  Target(Forwarder forwarder, Set<GeoRule> rules, int datacenter, int[] nodes, long nowNanos) {
    this.forwarder = forwarder;
    this.rules = rules;
    this.datacenter = datacenter;
    this.nodes = nodes.clone();
    this.progressNanos = nowNanos;
    this.askedNanos = nowNanos - Forwarder.RESEND_NANOS;
  }

  int datacenter() {
    return datacenter;
  }

  PositionVector stable() {
    return stable;
  }

  boolean isKnown() {
    return known;
  }

  boolean isMerging() {
    return merging != null;
  }

  private void send(GeoMessage message) {
    forwarder.send(nodes[at], message);
  }

  private long acknowledged() {
    return stable.at(forwarder.self());
  }

  // --- what it answers ---------------------------------------------------------------------------

  void onProgress(int from, GeoMessage.Progress progress, long nowNanos) {
    lead(from);
    long before = acknowledged();
    stable = stable.max(progress.stable());
    boolean isNew = !known;
    known = true;
    handed |= progress.handed();
    while (!underWay.isEmpty() && underWay.peek().position() <= acknowledged()) {
      underWayBytes -= underWay.poll().bytes();
    }
    if (acknowledged() > before || isNew) {
      progressNanos = nowNanos;
    }
    boolean isAhead = acknowledged() > lastWrite;
    if (isNew || isAhead || (progress.gap() && rules.contains(GeoRule.SENT_AGAIN))) {
      rewind();
    }
    if (merging != null && merging.stream().equals(progress.stream())) {
      merging.arrived(progress.parts(), nowNanos);
      if (merging.isDone()) {
        merging = null;
        progressNanos = nowNanos;
        rewind();
      }
    }
  }

  void onNotLeading(int from, int leader, long nowNanos) {
    if (nodes[at] != from || leader < 0 || !lead(leader)) {
      return;
    }
    if (known) {
      rewind();
      pump(nowNanos);
    } else {
      ask(nowNanos);
    }
  }

  private boolean lead(int node) {
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i] == node) {
        boolean isOther = at != i;
        at = i;
        return isOther;
      }
    }
    return false;
  }

  /** What it has not acknowledged is to be sent again. */
  private void rewind() {
    long from = acknowledged();
    boolean isOfThisLog = Positions.epoch(from) == Positions.epoch(forwarder.source().position(0));
    sentTo = isOfThisLog ? Positions.index(from) : 0;
    lastWrite = from;
    underWay.clear();
    underWayBytes = 0;
    merging = merging == null ? null : merging.again();
  }

  // --- what it is sent ---------------------------------------------------------------------------

  void tick(long nowNanos) {
    if (merging != null) {
      if (nowNanos - merging.progressNanos() >= Forwarder.RESEND_NANOS) {
        next(nowNanos);
        merging = merging.again();
      }
      return;
    }
    boolean waits = !known || !underWay.isEmpty();
    boolean isLate = nowNanos - progressNanos >= Forwarder.RESEND_NANOS;
    if (waits && isLate && rules.contains(GeoRule.SENT_AGAIN)) {
      next(nowNanos);
      if (known) {
        rewind();
      }
    } else if (nowNanos - askedNanos >= Forwarder.ASK_NANOS) {
      ask(nowNanos);
    }
  }

  /** The one that was asked may be gone. */
  private void next(long nowNanos) {
    at = (at + 1) % nodes.length;
    progressNanos = nowNanos;
    ask(nowNanos);
  }

  private void ask(long nowNanos) {
    askedNanos = nowNanos;
    send(new GeoMessage.Replicate(new Command.Replicated(forwarder.self(), List.of())));
  }

  void pump(long nowNanos) {
    if (!known) {
      return;
    }
    if (merging == null && needsState()) {
      merge(nowNanos);
    }
    if (merging != null) {
      for (Command.Merged part = merging.next(); part != null; part = merging.next()) {
        send(new GeoMessage.Merge(part));
      }
      return;
    }
    while (sentTo < forwarder.source().applied() && underWayBytes < Forwarder.WINDOW_BYTES) {
      sendWrites(nowNanos);
    }
  }

  private boolean needsState() {
    Source source = forwarder.source();
    if ((source.fenced() & ~handed) != 0) {
      return true;
    }
    boolean isLate = lastWrite < source.compactedWrite();
    if (isLate && rules.contains(GeoRule.STATE_FOR_THE_LATE)) {
      return true;
    }
    PositionVector here = source.stable();
    for (int i = 0; i < here.length(); i++) {
      boolean isOther = i != forwarder.self() && i != datacenter;
      if (isOther && forwarder.isGone(i) && stable.at(i) < here.at(i)) {
        return rules.contains(GeoRule.GONE_ONES_ARE_PASSED_ON);
      }
    }
    return false;
  }

  private void merge(long nowNanos) {
    MergeStream stream = forwarder.newStream();
    int only = rules.contains(GeoRule.STATE_OF_ALL_ORIGINS) ? -1 : forwarder.self();
    Source source = forwarder.source();
    int now = source.fenced();
    IntSupplier fenced = rules.contains(GeoRule.HANDED_BEHIND_FENCE) ? () -> now : source::fenced;
    merging = new Merging(stream, source, stable, only, fenced, nowNanos);
  }

  private void sendWrites(long nowNanos) {
    Source source = forwarder.source();
    List<RemoteWrite> writes = new ArrayList<>();
    long bytes = 0;
    long index = Math.max(sentTo + 1, source.first());
    for (; index <= source.applied() && bytes < Forwarder.BATCH_BYTES; index++) {
      if (source.isWrite(index)) {
        RemoteWrite write = source.write(index, lastWrite);
        bytes += write.bytes();
        writes.add(write);
        lastWrite = write.position();
      }
    }
    sentTo = index - 1;
    if (writes.isEmpty()) {
      return;
    }
    if (underWay.isEmpty()) {
      progressNanos = nowNanos;
    }
    underWay.add(new UnderWay(lastWrite, bytes));
    underWayBytes += bytes;
    send(new GeoMessage.Replicate(new Command.Replicated(forwarder.self(), writes)));
  }
}
