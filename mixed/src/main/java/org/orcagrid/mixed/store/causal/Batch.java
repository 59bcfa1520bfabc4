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
package org.orcagrid.mixed.store.causal;

import java.util.Map;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.track.VectorClock;

/**
 * What an instance has committed at once, for others.
 *
 * @param sequence one more than the batch before
 * @param clock of the instance, with the batch: others take it when they have the rest
 * @param rows by object
 * @param id of the transaction; null if the batch has none
 * @param forgotten the instance takes parts of transactions that began up to then for done
 */
public record Batch(
    String group,
    long sequence,
    VectorClock clock,
    Map<StoredObject, Row> rows,
    TransactionId id,
    long forgotten) {}
