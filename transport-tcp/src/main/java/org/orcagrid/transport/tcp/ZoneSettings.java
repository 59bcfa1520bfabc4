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
package org.orcagrid.transport.tcp;

import java.nio.file.Path;

/**
 * Persistent memory that the other nodes may write into, past this node's processor (DDP, section
 * 7). Of each node its own, and the same after a restart.
 *
 * <p>A flush is a read that follows the writes: it pushes them out of the network card, and as far
 * as the host lets it. Where the host's caches survive a loss of power with the memory (eADR;
 * {@code persistence_domain} is {@code cpu_cache}) that is enough. Where they do not, it is enough
 * only if the card writes past them, which the operator has to know: DDIO is off.
 *
 * @param memory a device as in {@code /dev/dax0.0}
 * @param cardBypassesCaches whether the network card writes past the processor's caches
 */
public record ZoneSettings(Path memory, boolean cardBypassesCaches) {}
