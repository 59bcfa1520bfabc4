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
 * What the models of visibility and durability keep, and how fast they are, found out in the
 * simulator: each over many seeds, on several threads, with the same result whatever their number.
 * And what they cost, measured with real nodes, networks and disks.
 *
 * <p>May import {@code org.orcagrid.ddp.model}, {@code org.orcagrid.ddp.replica}, {@code
 * org.orcagrid.simulator.ddp}, {@code org.orcagrid.simulator.timing}, {@code
 * org.orcagrid.bench.stats} and {@code org.orcagrid.bench.compare}, whose processes it loads.
 */
package org.orcagrid.bench.ddp;
