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

/** Exceptions of listeners, which do not keep a bulk from being done. */
final class Failures {
  private CacheException first;

  void during(Runnable step) {
    try {
      step.run();
    } catch (CacheEntryListenerException e) {
      if (first == null) {
        first = e;
      } else {
        first.addSuppressed(e);
      }
    }
  }

  void rethrow() {
    if (first != null) {
      throw first;
    }
  }
}
