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
 * Who the nodes of a grid are and who of them serves: views, the rules by which one follows the
 * other, and the leases without which no node serves. {@link
 * org.orcagrid.ddp.membership.Membership} is a pure state machine, which a node and the simulator
 * run alike; it imports nothing of the engines.
 */
package org.orcagrid.ddp.membership;
