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

/** The maps of a node in this process, which finds them by their numbers, too. */
public interface NumberedMaps extends Maps {

  @Override
  List<MapDefinition> definitions();

  /** The map of a number, null if the node cannot use one of that number at present. */
  MapDefinition definition(int map);
}
