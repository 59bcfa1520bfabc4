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

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;

/** Closes what a program has given to a cache. */
final class Closing {
  private static final System.Logger LOG = System.getLogger("org.orcagrid.jcache");

  private Closing() {}

  /**
   * Closes what can be closed. What fails is logged: the cache is closed nevertheless, and nothing
   * of it depends on that.
   */
  static void close(Object object) {
    if (object instanceof Closeable closeable) {
      try {
        closeable.close();
      } catch (IOException | RuntimeException e) {
        LOG.log(Level.WARNING, "Closing " + object.getClass().getName() + " has failed", e);
      }
    }
  }
}
