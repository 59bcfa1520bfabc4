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
package org.orcagrid.clients;

/** Python with kazoo's own tests and what they need. */
final class KazooTests extends PythonEnvironment {
  KazooTests() {
    super(
        "kazoo-tests",
        "kazoo==2.11.0",
        "pytest==9.2.0",
        "pyjks==20.0.0",
        // kazoo makes its certificates with calls that later ones have dropped.
        "pyopenssl==24.3.0");
  }

  @Override
  public String what() {
    return "kazoo's tests (apt-get install python3-venv python3-dev gcc, and a package index of"
        + " Python's)";
  }
}
