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
package org.orcagrid.transport.tcp;

/** What a {@link NodePort} answers to a greeting. */
sealed interface Verdict {
  /** The connection is for this owner, if it does not object. */
  record Admitted(ConnectionOwner owner, long grid) implements Verdict {}

  /** It is for nobody here; a setting differs, or somebody is where they must not be. */
  record Refused(String reason) implements Verdict {}

  /** It is for somebody who is not there yet: to be tried again, and no news. */
  record NotYet(String reason) implements Verdict {}
}
