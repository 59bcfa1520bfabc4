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
 * Kite (PPoPP '20): release consistency over a replicated store. Relaxed accesses are mapped to an
 * eventual store, releases and acquires to ABD, read-modify-writes to Paxos for each key; barriers
 * take the fast path while everybody answers in time and the slow path otherwise.
 *
 * <p>{@link org.orcagrid.ddp.kite.KiteWorker} is a state machine: it is given operations, messages
 * and the time, and puts messages into its outbox. It owns no thread, clock or socket.
 *
 * <p>May import {@code org.orcagrid.ddp} and its packages {@code store}, {@code wire}, {@code
 * paxos} and {@code membership}.
 */
package org.orcagrid.ddp.kite;
