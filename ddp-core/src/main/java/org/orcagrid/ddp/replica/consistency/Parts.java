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
package org.orcagrid.ddp.replica.consistency;

import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.wire.Links;

/**
 * What a consistency is given.
 *
 * @param state what its node has
 * @param links to the other members
 * @param journal of its node
 * @param operations of its node's clients
 * @param scopes in which they are persisted
 * @param zones in the durable media of other members
 */
public record Parts(
    ReplicaState state,
    Links links,
    Journal journal,
    Operations operations,
    Scopes scopes,
    ZonePersists zones) {}
