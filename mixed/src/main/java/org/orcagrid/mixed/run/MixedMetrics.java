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
package org.orcagrid.mixed.run;

/**
 * What a client's transactions did since it began.
 *
 * @param committed all of it
 * @param pending committed, and a part was left for workers
 * @param aborted for good
 * @param unknown whose decision was not known in time
 * @param conflicts attempts that began anew
 * @param waits times that a store was read again, since it lacked what the client has seen
 * @param failures calls of stores that failed
 */
public record MixedMetrics(
    long committed,
    long pending,
    long aborted,
    long unknown,
    long conflicts,
    long waits,
    long failures) {}
