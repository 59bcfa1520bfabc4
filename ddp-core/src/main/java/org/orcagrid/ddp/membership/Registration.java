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
package org.orcagrid.ddp.membership;

/**
 * What a life of a node says of itself in the registry.
 *
 * @param id of the life, not 0; larger than those of all lives before it at its place
 * @param process drawn by the process when it started, not 0
 * @param address where the node is reached
 * @param inView the newest view that it has installed, 0 for none
 * @param caughtUp the view in which it has caught up, 0 for none
 * @param gaveUp the view in which copies of maps were to be given up, when it serves none of them
 *     any more; 0 for none
 * @param refreshed the view since which it has caught up with what was acknowledged before it, as a
 *     place leaves; 0 for none
 * @param hears the places that it hears, as a mask, its own too
 * @param round the newest round of questions that it has answered
 * @param leaving it serves nobody any more
 */
public record Registration(
    long id,
    long process,
    String address,
    int inView,
    int caughtUp,
    int gaveUp,
    int refreshed,
    int hears,
    long round,
    boolean leaving) {
  /** Refuses a life or a process that has no number. */
  public Registration {
    if (id == 0 || process == 0) {
      throw new IllegalArgumentException(
          "A registration and its process have numbers other than 0, not "
              + id
              + " and "
              + process);
    }
  }

  /** A life that is in no view yet. */
  static Registration of(long id, long process, String address) {
    return new Registration(id, process, address, 0, 0, 0, 0, 0, 0, false);
  }

  /** The same life, which says this of its view, whom it hears, and the questions. */
  Registration with(int nowInView, int nowCaughtUp, int nowHears, long nowRound) {
    return new Registration(
        id,
        process,
        address,
        nowInView,
        nowCaughtUp,
        gaveUp,
        refreshed,
        nowHears,
        nowRound,
        leaving);
  }

  /** The same life, which has given up its copies in this view. */
  Registration gaveUp(int inView) {
    return new Registration(
        id, process, address, this.inView, caughtUp, inView, refreshed, hears, round, leaving);
  }

  /** The same life, which is refreshed since this view. */
  Registration refreshed(int since) {
    return new Registration(
        id, process, address, inView, caughtUp, gaveUp, since, hears, round, leaving);
  }

  /** The same life, which serves nobody any more. */
  Registration left() {
    return new Registration(id, process, address, inView, 0, 0, 0, 0, round, true);
  }
}
