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
package org.orcagrid.ddp.forward;

import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.Maps;

/** How a node reaches the maps of the others. Safe for use by many threads; nothing in it waits. */
public interface Ways {

  /**
   * The maps that the node at a place has itself: it forwards nothing in turn, and refuses what is
   * not there with a {@link org.orcagrid.ddp.map.NotBegunException}. The same object as long as it
   * can be used; another one when the way to the node was lost, or another life has the place.
   */
  Maps to(int place, AgreedView view);

  /** Whether this thread does the work of any of them: it must not wait for any. */
  boolean isWorker();

  /** Runs a task some time later, in a thread that must not wait; never if the node is closing. */
  void later(Runnable task, long nanos);
}
