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

import java.util.List;

/**
 * What a worker of a node has of maps at a moment.
 *
 * @param worker its number, from 0
 * @param journal null while it has none: between two lives of the node
 * @param maps those that it hosts
 */
public record WorkerFigures(int worker, Journal journal, List<MapFigures> maps) {
  /**
   * Where the worker's maps are durable.
   *
   * @param bytes what it takes of its medium
   * @param live bytes of the latest versions, as far as checkpoints and recoveries have told
   * @param bytesMax how many bytes it may take; the greatest number for no limit
   */
  public record Journal(long bytes, long live, long bytesMax) {}

  /** Copies the maps. */
  public WorkerFigures {
    maps = List.copyOf(maps);
  }
}
