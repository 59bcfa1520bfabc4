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

/**
 * What a strong object carries while it may depend on what is not everywhere yet (section 4.3). The
 * paper has a nonce here, which the writer writes to the causal store, too. With the clocks of
 * section 4.4 the reader knows by itself whether its replica has as much.
 *
 * @param past what the writer had seen of the causal store, and is not everywhere
 * @param address where the writer tells it
 */
public record Tombstone(VectorClock past, String address) {}
