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
package org.orcagrid.mixed.commit;

/** What a store has answered. */
public enum Answer {
  /** It is done, or was done already. To a fence: it is decided. */
  DONE,
  /** It is not done, and may be asked for again; a decision is not, with this id. */
  CONFLICT,
  /** It is not decided, and never will be. */
  NEVER,
  /** All that was decided so long ago is done and forgotten; nothing is decided any more. */
  FORGOTTEN,
  /** There is no answer: it may be done, or may be done later. */
  UNKNOWN
}
