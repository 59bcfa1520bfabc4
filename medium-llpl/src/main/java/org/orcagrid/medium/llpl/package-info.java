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
 * Pools of the Persistent Memory Development Kit, by way of Intel's llpl: the segments of a log as
 * blocks of a pool, which are made and found again in transactions of libpmemobj.
 *
 * <p>May import {@code org.orcagrid.ddp}, {@code org.orcagrid.ddp.durable}, {@code
 * org.orcagrid.ddp.durable.segment}, {@code java.nio}, {@code jdk.nio.mapmode} and {@code
 * com.intel.pmem.llpl}.
 */
package org.orcagrid.medium.llpl;
