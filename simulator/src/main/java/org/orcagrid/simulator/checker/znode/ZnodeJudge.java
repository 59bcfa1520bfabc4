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
package org.orcagrid.simulator.checker.znode;

import java.util.ArrayList;
import java.util.List;

/** Judges a history of znodes by all that an ensemble promises. */
public final class ZnodeJudge {
  private ZnodeJudge() {}

  /** What was found wrong; empty if nothing was. */
  public static List<String> judge(ZnodeHistory history) {
    ZnodeTimelines timelines = new ZnodeTimelines(history);
    List<String> found = new ArrayList<>(timelines.violations());
    found.addAll(ZnodeStates.judge(history, timelines));
    found.addAll(ZnodeTimes.judge(history, timelines));
    found.addAll(ZnodeWatches.judge(history, timelines));
    return found;
  }
}
