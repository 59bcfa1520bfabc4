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
package org.orcagrid.examples.demo;

import java.util.Map;
import org.orcagrid.examples.ensemble.FaultyEnsemble;

/** What is shown in the browser, on one store. */
public interface Demo extends AutoCloseable {

  /** Makes it on a store. */
  @FunctionalInterface
  interface Maker {

    /** Begins to use the ensemble, on threads of its own. */
    Demo on(FaultyEnsemble ensemble) throws InterruptedException;
  }

  /** Returns what the page shows of it, as it is now; any thread may ask. */
  Map<String, Object> state();

  /**
   * Does what the page's user wants.
   *
   * @throws IllegalArgumentException if that makes no sense; the message says why
   */
  void act(Map<String, String> wish);

  /** Ends its threads and sessions. */
  @Override
  void close();
}
