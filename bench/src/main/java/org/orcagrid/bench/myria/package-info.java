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
 * MyriaStore's figures on virtual time: 250 application servers, a linearizable store that is far,
 * and a causal one that is near (section 6.1). Clients and stores are those of {@code mixed}; only
 * the network, and how long a database is busy, are made up.
 */
package org.orcagrid.bench.myria;
