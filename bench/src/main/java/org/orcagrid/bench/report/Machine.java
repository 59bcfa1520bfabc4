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
package org.orcagrid.bench.report;

/**
 * What the figures were measured on.
 *
 * @param cpu the processor's model name
 * @param cores how many cores this JVM may use
 * @param memoryGb main memory in GiB
 * @param kernel operating system and version
 * @param jdk the Java runtime
 * @param fsyncMicros median time in microseconds of appending 512 bytes to a file and forcing it,
 *     on the disk that the servers used
 * @param fsyncP99Micros its 99th percentile
 * @param loopbackMicros median round trip in microseconds of 64 bytes over TCP on the loopback
 *     interface
 */
public record Machine(
    String cpu,
    int cores,
    double memoryGb,
    String kernel,
    String jdk,
    double fsyncMicros,
    double fsyncP99Micros,
    double loopbackMicros) {}
