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

/** A setting cannot be used. The message is one sentence that names the setting and the fix. */
public final class OrcaConfigException extends Exception {

  private static final long serialVersionUID = 1L;

  /** With one sentence that names the setting and the fix. */
  public OrcaConfigException(String message) {
    super(message);
  }

  /** With one sentence that names the setting and the fix, and what was thrown. */
  public OrcaConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
