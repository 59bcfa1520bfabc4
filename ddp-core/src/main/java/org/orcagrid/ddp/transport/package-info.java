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
 * How packets go from a worker to its counterparts on other nodes: an interface made for verbs,
 * with buffers that belong to the transport, completions by polling, and no promise that a packet
 * arrives once, in order, or at all (Kite, section 5.3).
 *
 * <p>May import {@code java.nio}.
 */
package org.orcagrid.ddp.transport;
