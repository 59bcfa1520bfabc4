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
 * Raft as a pure state machine: a replicated log with one leader at a time (Ongaro and Ousterhout,
 * USENIX ATC '14; Ongaro's thesis, 2014). NuKV replicates the writes of a partition within a
 * datacenter by it (NuKV, section 2.1).
 *
 * <p>{@link org.orcagrid.ddp.raft.Raft} is given messages, time and completed writes to the disk,
 * and answers with {@link org.orcagrid.ddp.raft.RaftEffects}. It has no thread, no clock, no source
 * of chance and no I/O.
 */
package org.orcagrid.ddp.raft;
