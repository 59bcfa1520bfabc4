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
 * The workers of a node: threads that each run one duty cycle over one endpoint, for whatever
 * engines the node hosts.
 *
 * <p>May import {@code java.io}, {@code java.nio}, {@code java.util.concurrent}, {@code
 * java.util.function}, {@code org.orcagrid.ddp.transport} and {@code org.orcagrid.ddp.vital}.
 */
package org.orcagrid.ddp.worker;
