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
package org.orcagrid.ddp.node;

/**
 * What a node has of Kite's keys at a moment; the counts begin anew when the keys do.
 *
 * @param keys how many keys have a place, removed ones too
 * @param bytes what they have taken of memory, used or not
 * @param sessions sessions that are open
 * @param sessionsMax how many can be
 * @param slowReleases releases that have not heard from all nodes in time, and went on with a
 *     majority
 * @param slowPaths how often this node found out that it had missed such a release, and its
 *     accesses went to the slow path
 */
public record KeysFigures(
    int keys, long bytes, int sessions, int sessionsMax, long slowReleases, int slowPaths) {
  static final KeysFigures NONE = new KeysFigures(0, 0, 0, 0, 0, 0);
}
