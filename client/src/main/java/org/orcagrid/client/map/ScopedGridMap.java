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
package org.orcagrid.client.map;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * A map whose writes are made durable together, where the program says so. A write that is made
 * outside of any scope is a scope of its own: it completes when it is durable at all nodes.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface ScopedGridMap<K, V> extends GridMap<K, V> {

  @Override
  ScopedGridMap<K, V> timeout(Duration timeout);

  @Override
  ScopedGridMap<K, V> executor(Executor executor);

  /** Begins a scope, for one thread. */
  GridScope<K, V> scope();
}
