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
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.replica.Command;
import org.orcagrid.geo.replica.MergeStream;
import org.orcagrid.geo.replica.StoredVersion;

/**
 * Sends a replica's state to a datacenter that cannot be told write by write. It gets all versions
 * that are behind its own vector. When it has all of them it has what this replica had when the
 * sending began: a version that lost meanwhile has been replaced by one that wins.
 */
final class Merging {
  private static final int PARTS_UNDER_WAY = 4;
  private static final int PART_BYTES = 64 << 10;

  private final MergeStream stream;
  private final PositionVector vector;
  private final PositionVector there;
  private final int only;
  private final IntSupplier fenced;
  private final Supplier<StoredVersion> versions;

  /** Parts that were sent, and those that are known to have come. */
  private int sent;

  private int arrived;
  private boolean last;
  private boolean over;
  private long progressNanos;

  /**
   * Begins a sending.
   *
   * @param there what the other side has
   * @param only the versions of one datacenter, -1 for those of all
   * @param fenced which datacenters were fenced here when it began
   */
  Merging(
      MergeStream stream,
      Source source,
      PositionVector there,
      int only,
      IntSupplier fenced,
      long nowNanos) {
    this.stream = stream;
    this.vector = source.stable();
    this.there = there;
    this.only = only;
    this.fenced = fenced;
    this.versions = source.versions();
    this.progressNanos = nowNanos;
  }

  MergeStream stream() {
    return stream;
  }

  long progressNanos() {
    return progressNanos;
  }

  void arrived(int parts, long nowNanos) {
    if (parts > arrived) {
      arrived = parts;
      progressNanos = nowNanos;
    }
  }

  boolean isDone() {
    return last && arrived == sent;
  }

  /** Parts are lost: it begins anew, unless nothing was sent. */
  Merging again() {
    over |= sent > 0;
    return over ? null : this;
  }

  /** The next part, null if none is to be sent now. */
  Command.Merged next() {
    if (last || sent - arrived >= PARTS_UNDER_WAY) {
      return null;
    }
    List<StoredVersion> some = new ArrayList<>();
    int bytes = 0;
    while (bytes < PART_BYTES && !last) {
      StoredVersion next = versions.get();
      if (next == null) {
        last = true;
      } else if (isLacking(next)) {
        some.add(next);
        bytes += next.bytes();
      }
    }
    return new Command.Merged(stream, sent++, last, vector, fenced.getAsInt(), some);
  }

  private boolean isLacking(StoredVersion each) {
    int origin = each.version().datacenter();
    return each.version().position() > there.at(origin) && (only < 0 || only == origin);
  }
}
