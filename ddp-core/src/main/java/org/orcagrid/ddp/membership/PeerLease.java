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
package org.orcagrid.ddp.membership;

/**
 * What a node knows of another member of its view, and what the two have granted each other, at a
 * moment.
 *
 * @param node the place of the other one
 * @param heardMillis since its last beat arrived; {@link #NEVER} if none has, or its connection is
 *     gone
 * @param heldMillis how long the lease lasts that it has granted this node; 0 if there is none
 * @param grantedMillis how long the lease lasts that this node has granted it; 0 if there is none
 * @param inView the newest view that it says it is in
 */
public record PeerLease(
    int node, long heardMillis, long heldMillis, long grantedMillis, int inView) {
  /** In the place of a time that there is none of. */
  public static final long NEVER = -1;
}
