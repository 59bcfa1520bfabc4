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
 * What members of a view tell each other all the time: that they are there, whom they hear, and a
 * grant.
 *
 * @param view the newest view that the sender is in
 * @param from the sender's life: its registration
 * @param to the life of the receiver that is meant
 * @param stampNanos when it was sent, by the sender's clock
 * @param grantNanos the stamp of the receiver's beat that the sender grants a lease for; {@link
 *     #NO_GRANT} for none
 * @param hears the places that the sender hears, as a mask, its own too
 * @param round the newest round of questions that the sender has answered
 */
public record Beat(
    int view, long from, long to, long stampNanos, long grantNanos, int hears, long round) {
  /** No grant. */
  public static final long NO_GRANT = Long.MIN_VALUE;
}
