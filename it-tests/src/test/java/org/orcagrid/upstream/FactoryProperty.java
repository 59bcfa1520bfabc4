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
package org.orcagrid.upstream;

/**
 * Stands in for {@link System#clearProperty} inside the JVM of a rewritten test class.
 *
 * <p>ZooKeeper takes its own connection factory when {@value #FACTORY} is not set. A test that
 * clears it after use means "the default again", which on our targets is ours.
 */
public final class FactoryProperty {
  /** ZooKeeper's choice of the connection factory. */
  static final String FACTORY = "zookeeper.serverCnxnFactory";

  /** What {@link #FACTORY} holds when no test has touched it. */
  static final String FALLBACK = "upstream.serverCnxnFactory";

  private FactoryProperty() {}

  /** Clears a property, and sets the connection factory back to the run's default. */
  public static String clearProperty(String key) {
    String previous = System.clearProperty(key);
    String fallback = System.getProperty(FALLBACK);
    if (key.equals(FACTORY) && fallback != null) {
      System.setProperty(FACTORY, fallback);
    }
    return previous;
  }
}
