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
package org.orcagrid.ddp.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;

/**
 * What a node receives of one map, or of Kite's keys: whom it asks, and how far each of them is.
 */
public final class Intake {
  private final Terms terms;
  private final Inflow[] inflows;
  private final List<Need> needs = new ArrayList<>();

  /** It is enough that so many of these nodes have told all. */
  private record Need(int among, int sources) {}

  /**
   * How pages are asked for.
   *
   * @param window pages that are asked for ahead of those that were taken over
   * @param sizeMax how large a page is at most, in what the source counts
   * @param resendNanos when what nothing has come of is asked for again; 0 where nothing is lost
   */
  public record Terms(int window, int sizeMax, long resendNanos) {
    /** Refuses what cannot work: of several pages nobody could tell which is lost. */
    public Terms {
      Invariant.check(
          window == 1 || resendNanos == 0, "what may be lost is asked for page by page");
    }

    /** Over links that lose nothing: so many pages ahead, as large as the source makes them. */
    public static Terms reliable(int window) {
      return new Terms(window, 1, 0);
    }

    /** Over links that lose messages. */
    public static Terms lossy(int sizeMax, long resendNanos) {
      return new Terms(1, sizeMax, resendNanos);
    }
  }

  /** Nobody is asked yet. */
  public Intake(int nodes, Terms terms) {
    this.terms = terms;
    this.inflows = new Inflow[nodes];
  }

  /** A node is asked in this life, from the beginning; what it has told before does not count. */
  public void begin(int node, int life) {
    inflows[node] = new Inflow(terms, life);
  }

  /** It is enough that so many have told all. */
  public void need(int sources) {
    need(Quorum.all(inflows.length), sources);
  }

  /** It is enough that so many of these nodes have told all, and of others that are needed too. */
  public void need(int among, int sources) {
    needs.removeIf(each -> each.among() == among);
    needs.add(new Need(among, sources));
  }

  /** A node is not asked any more, as it is gone; what it has told does not count. */
  public void drop(int node) {
    inflows[node] = null;
  }

  /** What a node tells; null if it is not asked. */
  public Inflow of(int node) {
    return inflows[node];
  }

  /**
   * Those that have another life now than when they were asked, as a mask; also those that have
   * told all. What one of them has told in part is to be {@linkplain #begin begun} anew.
   *
   * @param lives the life of each node, 0 if it tells nothing
   */
  public int changed(IntUnaryOperator lives) {
    int changed = 0;
    for (int node = 0; node < inflows.length; node++) {
      if (inflows[node] != null && inflows[node].life() != lives.applyAsInt(node)) {
        changed |= Quorum.of(node);
      }
    }
    return changed;
  }

  /** Names those that are to be asked now; to be followed by {@link Inflow#ask} of each. */
  public void poll(long nowNanos, IntConsumer ask) {
    for (int node = 0; node < inflows.length; node++) {
      if (inflows[node] != null && inflows[node].isDue(nowNanos)) {
        ask.accept(node);
      }
    }
  }

  /** Whether enough have told all. */
  public boolean isWhole() {
    int ended = 0;
    for (int node = 0; node < inflows.length; node++) {
      ended |= inflows[node] != null && inflows[node].isEnded() ? Quorum.of(node) : 0;
    }
    for (Need each : needs) {
      if (Integer.bitCount(ended & each.among()) < each.sources()) {
        return false;
      }
    }
    return true;
  }

  /** How far this is. */
  public Progress progress() {
    Progress all = new Progress(1, isWhole() ? 1 : 0, 0, 0, 0, 0);
    for (Inflow each : inflows) {
      all = each == null ? all : all.plus(each.progress());
    }
    return all;
  }
}
