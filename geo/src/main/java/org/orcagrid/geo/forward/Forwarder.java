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

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.message.GeoMessage;
import org.orcagrid.geo.replica.MergeStream;

/**
 * Tells the writes of a datacenter to the leaders of all others, in the order of its log (NuKV,
 * Algorithm 2, lines 25 to 27). A replica of the group does so while it has the duty. Two at a time
 * do no harm: who receives finds duplicates and gaps.
 *
 * <p>A cursor is what the other side has applied. So the forwarder keeps nothing, and a new one
 * asks first.
 *
 * <p>Where the log does not go back far enough, or where a third datacenter is gone, the replica's
 * state is sent instead ({@link Merging}).
 */
public final class Forwarder {
  /** What is not acknowledged for so long is sent again, perhaps to another node. */
  static final long RESEND_NANOS = 500_000_000L;

  /** Who has nothing to be told is asked so often how far it has come. */
  static final long ASK_NANOS = 1_000_000_000L;

  static final long WINDOW_BYTES = 4 << 20;
  static final int BATCH_BYTES = 64 << 10;

  private final int self;
  private final int node;
  private final Source source;
  private final Set<GeoRule> rules;
  private final ObjIntConsumer<GeoMessage> links;
  private final List<Target> targets = new ArrayList<>();
  private long streams;
  private int gone;

  /**
   * A forwarder that has just got the duty.
   *
   * @param self its datacenter
   * @param node its node
   * @param links sends a message to a node
   */
  public Forwarder(
      int self, int node, Source source, Set<GeoRule> rules, ObjIntConsumer<GeoMessage> links) {
    this.self = self;
    this.node = node;
    this.source = source;
    this.rules = rules;
    this.links = links;
  }

  /**
   * Adds a datacenter to be told.
   *
   * @param replicas the partition's nodes there
   */
  public void add(int datacenter, int[] replicas, long nowNanos) {
    targets.add(new Target(this, rules, datacenter, replicas, nowNanos));
  }

  /** Which datacenters have not been heard of for long: a bit for each. */
  public void gone(int datacenters) {
    gone = datacenters;
  }

  boolean isGone(int datacenter) {
    return (gone & (1 << datacenter)) != 0;
  }

  int self() {
    return self;
  }

  Source source() {
    return source;
  }

  void send(int to, GeoMessage message) {
    links.accept(message, to);
  }

  MergeStream newStream() {
    // Another forwarder of this node began at another place of the log, or sends as many.
    return new MergeStream(self, node, (source.applied() << 16) + ++streams);
  }

  /** How far a datacenter has come, as far as is known; null before it has answered. */
  public PositionVector stable(int datacenter) {
    for (Target each : targets) {
      if (each.datacenter() == datacenter && each.isKnown()) {
        return each.stable();
      }
    }
    return null;
  }

  /**
   * What a datacenter has not acknowledged.
   *
   * @param entries of the log, about
   * @param bytes of its writes, without those that the log has no more: they go as state
   */
  public record Behind(int datacenter, long entries, long bytes) {}

  /** What each datacenter has not acknowledged, of those that have answered; looks at all of it. */
  public List<Behind> behind() {
    List<Behind> all = new ArrayList<>();
    for (Target each : targets) {
      if (each.isKnown() && stays(each)) {
        long there = each.stable().at(self);
        long entries = Positions.distance(there, source.stable().at(self));
        all.add(new Behind(each.datacenter(), entries, bytesAfter(there)));
      }
    }
    return all;
  }

  private long bytesAfter(long position) {
    long bytes = 0;
    for (long index = source.applied();
        index >= source.first() && source.position(index) > position;
        index--) {
      bytes += source.isWrite(index) ? source.bytes(index) : 0;
    }
    return bytes;
  }

  /** Whether a datacenter is being sent state. */
  public boolean isMerging(int datacenter) {
    return targets.stream().anyMatch(each -> each.datacenter() == datacenter && each.isMerging());
  }

  /** Sends what may be sent; after the replica has applied something. */
  public void pump(long nowNanos) {
    for (Target each : targets) {
      if (stays(each)) {
        each.pump(nowNanos);
      }
    }
  }

  private boolean stays(Target each) {
    return (source.fenced() & (1 << each.datacenter())) == 0;
  }

  /** Time has passed. */
  public void tick(long nowNanos) {
    for (Target each : targets) {
      if (stays(each)) {
        each.tick(nowNanos);
      }
    }
    pump(nowNanos);
  }

  /** A leader of another datacenter has answered. */
  public void onProgress(int datacenter, int from, GeoMessage.Progress progress, long nowNanos) {
    for (Target each : targets) {
      if (each.datacenter() == datacenter) {
        each.onProgress(from, progress, nowNanos);
        each.pump(nowNanos);
      }
    }
  }

  /** A node of another datacenter does not lead. */
  public void onNotLeading(int datacenter, int from, int leader, long nowNanos) {
    for (Target each : targets) {
      if (each.datacenter() == datacenter) {
        each.onNotLeading(from, leader, nowNanos);
      }
    }
  }
}
