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

/** What {@code unwrap} gives. */
final class Unwrap {

  private Unwrap() {}

  /** The object itself, if it is of that type. */
  static <T> T as(Class<T> type, Object object) {
    if (!type.isInstance(object)) {
      throw new IllegalArgumentException(
          "A " + object.getClass().getName() + " cannot be had as a " + type.getName());
    }
    return type.cast(object);
  }
}
