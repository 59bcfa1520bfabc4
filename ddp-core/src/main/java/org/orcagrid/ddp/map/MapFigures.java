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
package org.orcagrid.ddp.map;

import org.orcagrid.ddp.replica.ReplicaFigures;
import org.orcagrid.ddp.transfer.Progress;

/**
 * What a node has of a map at a moment, and what it does with it.
 *
 * @param map which map
 * @param replica the node's copy
 * @param undurable records of the journal up to the last one of this map that are not durable yet
 * @param underWay operations of clients that have not ended
 * @param progress how far the map is with catching up
 */
public record MapFigures(
    MapDefinition map, ReplicaFigures replica, long undurable, int underWay, Progress progress) {}
