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

import java.util.ArrayList;
import java.util.List;

/** What an example has opened; the last is closed first. */
public final class Opened implements AutoCloseable {
  private final List<AutoCloseable> all = new ArrayList<>();

  /** One more. */
  public void add(AutoCloseable opened) {
    all.add(opened);
  }

  /** Closes all; what does not end as it should is told on standard error. */
  @Override
  public void close() {
    for (int i = all.size() - 1; i >= 0; i--) {
      try {
        all.get(i).close();
      } catch (Exception e) {
        System.err.println("The example does not end as it should: " + e);
      }
    }
    all.clear();
  }
}
