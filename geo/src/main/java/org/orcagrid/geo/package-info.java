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
 * NuKV: a store of keys and values over several datacenters, with session guarantees that each
 * request asks for (Roohitavaf et al., "Session Guarantees with Raft and Hybrid Logical Clocks").
 *
 * <p>Here is what all its parts speak of: positions in logs, versions, requirements, and the rules
 * that tests take away one by one.
 */
package org.orcagrid.geo;
