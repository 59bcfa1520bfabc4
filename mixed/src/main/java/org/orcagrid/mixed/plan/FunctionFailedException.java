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
 * A function of the program has failed, or a loop went past its bound. Whoever evaluates aborts
 * what was begun in stores.
 */
public final class FunctionFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** One with what the function has thrown, null if nothing. */
  public FunctionFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
