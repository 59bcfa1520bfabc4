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
package org.orcagrid.ddp.map;

import java.io.IOException;

/** A membership whose node can be told that it was left out, as one that has stood still is. */
final class LeavingMembership extends ForwardingViews {
  private volatile Life life;
  private volatile boolean leaseIsOver;

  LeavingMembership(Views agreed) {
    super(agreed);
  }

  private static final class Life implements Member {
    private final Member member;
    private volatile boolean over;

    Life(Member member) {
      this.member = member;
    }

    @Override
    public void onView(AgreedView view) {
      if (!over) {
        member.onView(view);
      }
    }

    @Override
    public void onLeft(String reason) {
      if (!over) {
        over = true;
        member.onLeft(reason);
      }
    }

    @Override
    public void onFailed(Throwable reason) {
      member.onFailed(reason);
    }
  }

  /** The node begins another life. */
  void leaveOut() {
    life.onLeft("a test wants it so");
  }

  /** From now on others may go on without the node, or they may not. */
  void leaseIsOver(boolean over) {
    leaseIsOver = over;
  }

  @Override
  public long servesUntilNanos() {
    return leaseIsOver ? System.nanoTime() - 1_000_000_000L : super.servesUntilNanos();
  }

  @Override
  public void join(Member member) throws IOException, InterruptedException {
    life = new Life(member);
    super.join(life);
  }
}
