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
 * ZooKeeper's atomic broadcast (ZAB) over the grid's replica store: the yardstick that Kite is
 * compared with (Kite, section 6, <i>ZAB (in-house)</i>). It is no product: the leader is fixed,
 * and there is neither election nor recovery. Its nodes get the worker threads, the store, the
 * messages and the links that Kite's nodes have.
 *
 * <p>{@link org.orcagrid.bench.zab.ZabWorker} is a state machine: it is given operations, messages
 * and the time, and puts messages into its outbox. It owns no thread, clock or socket.
 *
 * <p>May import {@code org.orcagrid.ddp} and its packages {@code store} and {@code wire}; {@link
 * org.orcagrid.bench.zab.ZabProtocol} also {@code node} and the words of {@code kite} that it
 * needs.
 */
package org.orcagrid.bench.zab;
