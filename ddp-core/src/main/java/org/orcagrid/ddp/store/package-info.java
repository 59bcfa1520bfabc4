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
 * The stores of a node: keys and values as bytes outside the heap, with the words that an engine
 * keeps for each key. Kite's is written by many workers at once (Kite, section 5.2), that of a map
 * by its worker; any thread reads either.
 *
 * <p>May import {@code java.nio}, {@code java.util.function}, {@code java.lang.invoke} and {@code
 * org.orcagrid.ddp}.
 */
package org.orcagrid.ddp.store;
