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

import java.util.function.IntToLongFunction;
import org.orcagrid.ddp.Quorum;

/**
 * What others have asked a node for: pages that are told in turn, as the budget allows. Who uses
 * this tells a page when it is named.
 */
public final class Outlet {
  private final Budget budget;
  private final int nodes;
  private final int[] asked;
  private final int[] told;

  /** Those that have room for another page. */
  private int waiting;

  private int last;

  /** Nobody has asked yet. */
  public Outlet(int nodes, Budget budget) {
    this.budget = budget;
    this.nodes = nodes;
    this.asked = new int[nodes];
    this.told = new int[nodes];
  }

  /** A node is told from the beginning, or no more until it asks again. */
  public void begin(int receiver) {
    asked[receiver] = 0;
    told[receiver] = 0;
    waiting &= ~Quorum.of(receiver);
  }

  /** It has room for so many pages, counted from the first that it is told. */
  public void ask(int receiver, int pages) {
    asked[receiver] = Math.max(asked[receiver], pages);
    look(receiver);
  }

  private void look(int receiver) {
    boolean waits = told[receiver] < asked[receiver];
    waiting = waits ? waiting | Quorum.of(receiver) : waiting & ~Quorum.of(receiver);
  }

  /** Whether there is something to tell. */
  public boolean isWaiting() {
    return waiting != 0;
  }

  /** How long it is until something may be told; the longest time there is if nobody has asked. */
  public long nanosToTell(long nowNanos) {
    return waiting == 0 ? Long.MAX_VALUE : budget.nanosToAllow(nowNanos);
  }

  /**
   * Tells what may be told now.
   *
   * @param page tells a node its next page, and says of how many bytes that is
   */
  public void tell(long nowNanos, IntToLongFunction page) {
    while (waiting != 0 && budget.allows(nowNanos)) {
      do {
        last = (last + 1) % nodes;
      } while ((waiting & Quorum.of(last)) == 0);
      int receiver = last;
      told[receiver]++;
      look(receiver);
      budget.take(page.applyAsLong(receiver), nowNanos);
    }
  }
}
