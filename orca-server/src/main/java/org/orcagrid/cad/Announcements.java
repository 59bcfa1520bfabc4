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
package org.orcagrid.cad;

/**
 * When the leader tells its learners that the durable-index has moved, apart from the heartbeat.
 *
 * <p>Each announcement is a message to every learner. A learner that serves reads wants it at once:
 * it holds replies until it comes, and knows by it which reads need not be held. While none reads,
 * the heartbeat is soon enough.
 *
 * <p>Not safe for use by several threads.
 */
public final class Announcements {

  /** Advances that are announced after a demand: a learner that reads will demand again by then. */
  static final int ADVANCES_AFTER_DEMAND = 256;

  private int left;

  /** A learner holds a reply until an index is durable. */
  public void onDemand() {
    left = ADVANCES_AFTER_DEMAND;
  }

  /**
   * The durable-index has advanced.
   *
   * @return whether to announce it now
   */
  public boolean onAdvance() {
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }
}
