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
/**
 * Judges of histories of znodes: what clients of a ZooKeeper ensemble were told, against one order
 * of all transactions. May import {@code java.util} and the judges of {@code checker} only.
 *
 * <p>ZooKeeper makes that order visible: each answer carries the zxid up to which the server had
 * applied when it answered, and each Stat the zxids of the node's last changes. So nothing is
 * searched. {@link org.orcagrid.simulator.checker.znode.ZnodeTimelines} collects the changes,
 * {@link org.orcagrid.simulator.checker.znode.ZnodeStates} compares each answer with the state at
 * its zxid, {@link org.orcagrid.simulator.checker.znode.ZnodeTimes} the zxids with real time, and
 * {@link org.orcagrid.simulator.checker.znode.ZnodeWatches} the events with both.
 */
package org.orcagrid.simulator.checker.znode;
