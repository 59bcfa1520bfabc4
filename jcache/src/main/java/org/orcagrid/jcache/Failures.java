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
package org.orcagrid.jcache;

import javax.cache.CacheException;
import javax.cache.event.CacheEntryListenerException;

/** What has gone wrong in a bulk, which is told when all that can be done is done. */
final class Failures {
  private CacheException first;

  /** Does a step, and notes the exceptions of its listeners. */
  void during(Runnable step) {
    try {
      step.run();
    } catch (CacheEntryListenerException e) {
      add(e);
    }
  }

  void add(CacheException failure) {
    if (first == null) {
      first = failure;
    } else {
      first.addSuppressed(failure);
    }
  }

  /** Throws the first, with the others as what it has suppressed. */
  void rethrow() {
    if (first != null) {
      throw first;
    }
  }
}
