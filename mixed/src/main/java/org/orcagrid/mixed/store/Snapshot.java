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
package org.orcagrid.mixed.store;

import java.util.Map;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.track.VectorClock;

/**
 * What a store has at one moment. In a store that decides, each object may be of another moment: it
 * checks them when it commits.
 *
 * @param found all that was asked for
 * @param clock what its replica has; in a store that takes parts piece by piece, what replicas were
 *     asked for and had of the objects that were read
 * @param everywhere what all replicas have, at least
 * @param markers of transactions that were asked for and are there, with their parts' clocks;
 *     looked for before the objects were read
 */
public record Snapshot(
    Map<StoredObject, Found> found,
    VectorClock clock,
    VectorClock everywhere,
    Map<TransactionId, VectorClock> markers) {}
