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
package org.orcagrid.geo.client;

import java.time.Duration;
import org.orcagrid.geo.Version;

/**
 * What a read has shown.
 *
 * @param value null if the key has none
 * @param version which write it is of, for conditional writes
 * @param isOlder whether what was asked for did not come in time, and this is what was there
 * @param age if it is older: all writes before that are in it; zero if what is missing was lost
 *     with a datacenter that was removed
 * @param behind if it is older: the datacenter of which writes are missing; null otherwise
 * @param behindEntries if it is older: about how many entries of its log
 */
public record Seen<V>(
    V value, Version version, boolean isOlder, Duration age, String behind, long behindEntries) {}
