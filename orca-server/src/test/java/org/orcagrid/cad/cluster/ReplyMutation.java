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
package org.orcagrid.cad.cluster;

/** A rule about answers to writes that is left out, which {@link WriteCluster} must find. */
enum ReplyMutation {
  /** The rules as they ship. */
  NONE,
  /** A sequential create is answered as any other. */
  SEQUENTIAL_UNCONDITIONAL,
  /** A write that named a version is answered as any other. */
  VERSIONED_UNCONDITIONAL,
  /** An answer does not wait for what others have changed. */
  OTHERS_UNGATED,
  /** An answer that refuses does not wait. */
  FAILURES_UNGATED,
  /** Who has changed a node is not known: everybody counts as the one who asks. */
  SESSIONS_CONFUSED,
  /** The window is never closed. */
  WINDOW_IGNORED
}
