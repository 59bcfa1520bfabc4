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
package org.orcagrid.mixed.plan;

/**
 * What an object holds is not there yet. Who evaluates goes on with all that does not need it, so
 * that whatever is missing is found at once; then it is got, and evaluated again.
 */
public final class MissingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** One without a stack trace, as it only says to come again. */
  public MissingException() {
    super("A value is not there yet; get it, and evaluate again", null, false, false);
  }
}
