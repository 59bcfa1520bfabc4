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
package org.orcagrid.mixed.track;

import java.util.Map;
import org.orcagrid.mixed.plan.TransactionId;

/**
 * What a client has seen that is not everywhere, as it tells others (section 4.3). It is no causal
 * closure: of objects that are not in it nothing is said.
 *
 * @param seen all that the client has seen: of no use to who looks for more
 * @param settled clocks of transactions whose parts it has seen lately
 * @param versions by their objects' keys: all that the client knows of these in any way
 */
public record Tracked(
    VectorClock seen, Map<TransactionId, VectorClock> settled, Map<Object, Version> versions) {}
