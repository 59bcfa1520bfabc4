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
/**
 * Segments: the files of a log of records, their format, their reuse and what is done after a
 * crash. What {@code durable.log} and {@code durable.nvm} have in common; they differ in how bytes
 * get to the device and in whose thread takes them there.
 *
 * <p>The rules that it rests on are in {@code SegmentRule}. May import {@code org.orcagrid.ddp},
 * {@code org.orcagrid.ddp.durable} and {@code java.nio}.
 */
package org.orcagrid.ddp.durable.segment;
