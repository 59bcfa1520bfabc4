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
package org.orcagrid.server.settings;

/**
 * When a leader shows a write ({@code orca.visibility}), with {@code orca.durability=cad}. What a
 * client has read is durable either way.
 */
public enum Visibility {
  /** Whichever costs its clients less: as {@link #EARLY} first, and as {@link #LATE} meanwhile. */
  ADAPTIVE,
  /** As soon as it is logged: who reads it before it is durable waits. */
  EARLY,
  /** Once it is durable: who writes it waits. */
  LATE
}
