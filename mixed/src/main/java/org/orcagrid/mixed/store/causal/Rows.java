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
package org.orcagrid.mixed.store.causal;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.store.Encoding;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.VectorClock;
import org.orcagrid.mixed.track.Version;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows of one object, none of which is in another. A reader gets them merged: {@code OnCausalRead}
 * in section 4.5 returns one of them, and drops what others have written.
 */
public final class Rows {
  private static final Logger LOG = LoggerFactory.getLogger(Rows.class);

  private Rows() {}

  /** The rows with one more, without those that are in others. */
  public static List<Row> with(List<Row> rows, Row more) {
    if (rows.stream().anyMatch(more::isIn)) {
      return rows;
    }
    List<Row> left = new ArrayList<>(rows.stream().filter(each -> !each.isIn(more)).toList());
    left.add(more);
    return List.copyOf(left);
  }

  /** What a reader gets. */
  public static Found merged(List<Row> rows, Merge merge) {
    if (rows.isEmpty()) {
      return Found.NOTHING;
    }
    Object value = null;
    VectorClock clock = VectorClock.NONE;
    Context context = Context.NONE;
    for (Row each : rows) {
      value = merged(value, each.value(), merge);
      clock = clock.join(each.clock());
      context = context.join(each.context());
    }
    return new Found(value, 0, clock, context);
  }

  /**
   * What a write makes of what a reader gets. The transaction is decided by then: a change that
   * fails leaves the object as it is.
   */
  public static Found after(Found present, Part.Write write) {
    if (write.operation() == null) {
      return new Found(write.value(), 0, VectorClock.NONE, write.context());
    }
    Object value = present.value();
    try {
      value = write.operation().apply(present.value(), write.value());
    } catch (RuntimeException e) {
      LOG.warn("The change {} of {} has failed", write.operation().name(), write.object(), e);
    }
    return new Found(value, 0, VectorClock.NONE, write.context().join(present.context()));
  }

  /**
   * As {@link #after(Found, Part.Write)}. A change whose result cannot be stored leaves the object
   * as it is, too.
   */
  public static Found after(Found present, Part.Write write, Encoding encoding) {
    Found after = after(present, write);
    if (write.operation() == null) {
      return after;
    }
    try {
      encoding.value(after.value());
      return after;
    } catch (RuntimeException e) {
      LOG.warn("What {} makes of {} is no value", write.operation().name(), write.object(), e);
      return new Found(present.value(), 0, VectorClock.NONE, after.context());
    }
  }

  /** What a reader gets, as a version. */
  public static Version version(Found found) {
    return new Version(found.value(), found.clock(), found.context());
  }

  /** Two versions that know nothing of each other, as one. */
  public static Version merged(Version one, Version other, Merge merge) {
    return new Version(
        merge.merge(one.value(), other.value()),
        one.clock().join(other.clock()),
        one.context().join(other.context()));
  }

  private static Object merged(Object one, Object other, Merge merge) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return merge.merge(one, other);
  }
}
