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
package org.orcagrid.ddp.replica;

/**
 * What a node has of a map at a moment.
 *
 * @param serves whether clients are served
 * @param entries keys that have a value
 * @param removals keys that were removed and are not forgotten yet
 * @param bytes what the map has taken of memory, used or not
 * @param held updates that are here and not shown yet
 * @param unacknowledged messages that one other node has not acknowledged, of the node with most
 */
public record ReplicaFigures(
    boolean serves, int entries, int removals, long bytes, long held, int unacknowledged) {}
