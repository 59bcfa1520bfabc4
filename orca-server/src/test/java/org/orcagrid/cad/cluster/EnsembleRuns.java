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
package org.orcagrid.cad.cluster;

import java.util.List;

/** The simulated ensembles of servers, as they ship: a seed decides a run. */
public final class EnsembleRuns {
  private EnsembleRuns() {}

  /** What is wrong with a run of an ensemble whose servers stay the same. */
  public static List<String> activeSet(long seed) {
    return new Cluster(seed, activeSetSettings(seed)).run();
  }

  /** What is wrong with a run of an ensemble that is reconfigured all the time. */
  public static List<String> reconfiguration(long seed) {
    return new Cluster(seed, reconfigurationSettings(seed)).run();
  }

  /** What is wrong with a run in which reads have to show whatever was acknowledged. */
  public static List<String> awaitingMembers(long seed) {
    return new Cluster(seed, activeSetSettings(seed).awaitingMembers()).run();
  }

  /** What is wrong with the answers to writes of an ensemble that loses its power. */
  public static List<String> writeReplies(long seed) {
    return new WriteCluster(seed, ReplyMutation.NONE).run();
  }

  static ClusterSettings activeSetSettings(long seed) {
    return ClusterSettings.shipping(seed % 2 == 0 ? 3 : 5);
  }

  static ClusterSettings reconfigurationSettings(long seed) {
    return ClusterSettings.shipping(seed % 2 == 0 ? 5 : 6).withVoters(3);
  }
}
