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
package org.orcagrid.simulator.ddp;

import java.util.SplittableRandom;
import org.orcagrid.ddp.replica.log.SharedLog;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.simulator.SimulatedDatagrams;

/**
 * What a seed decides before a run begins.
 *
 * @param nodes replica nodes
 * @param clients clients, each of which does one thing after the other
 * @param operations operations of each
 * @param keys keys
 * @param writePercent share of the operations that write
 * @param removePercent share of the writes that remove
 * @param movePercent share of the operations before which a client goes to another node
 * @param unitLength operations of a transaction or scope at most
 * @param conflicts what transactions do that meet
 * @param network how bad the network is
 * @param forceNanosMax how long it takes at most until something is durable
 * @param lazyNanosMax how long that takes where nobody waits
 * @param crashes how many times a node loses power
 * @param together how many times all do
 * @param cuts how many times a link is cut for a while
 * @param toldNanosMax how long it takes at most until a node is told of a view
 * @param limits how large messages become
 * @param journal how long a journal becomes
 */
record DdpSchedule(
    int nodes,
    int clients,
    int operations,
    int keys,
    int writePercent,
    int removePercent,
    int movePercent,
    int unitLength,
    ReplicaSettings.Conflicts conflicts,
    SimulatedDatagrams.Conditions network,
    long forceNanosMax,
    long lazyNanosMax,
    int crashes,
    int together,
    int cuts,
    long toldNanosMax,
    ReplicaSettings.Limits limits,
    SharedLog.Limits journal) {
  static final long MICRO = 1_000;
  static final long MILLI = 1_000_000;
  private static final int BATCH_BYTES_MAX = 1000;
  private static final int[] NODES = {1, 2, 3, 3, 3, 3, 3, 3, 5, 5};

  static DdpSchedule of(SplittableRandom random) {
    boolean calm = random.nextInt(3) == 0;
    return new DdpSchedule(
        NODES[random.nextInt(NODES.length)],
        2 + random.nextInt(4),
        8 + random.nextInt(30),
        1 + random.nextInt(random.nextInt(3) == 0 ? 12 : 4),
        30 + random.nextInt(50),
        random.nextInt(3) * 20,
        random.nextInt(3) * 10,
        2 + random.nextInt(4),
        random.nextBoolean() ? ReplicaSettings.Conflicts.ABORT : ReplicaSettings.Conflicts.WAIT,
        new SimulatedDatagrams.Conditions(
            5 * MICRO,
            (10 + random.nextInt(60)) * MICRO,
            random.nextInt(4) * 3,
            random.nextInt(3) * random.nextInt(8),
            random.nextInt(3) * 5),
        (1 + random.nextInt(150)) * MICRO,
        (100 + random.nextInt(3000)) * MICRO,
        calm ? 0 : random.nextInt(4),
        calm ? 0 : random.nextInt(3),
        random.nextInt(3),
        (random.nextInt(3) == 0 ? 1500 : 150) * MICRO,
        new ReplicaSettings.Limits(1 + random.nextInt(100), BATCH_BYTES_MAX, 1 + random.nextInt(4)),
        new SharedLog.Limits(20 + random.nextInt(500), 1 + random.nextInt(4)));
  }
}
