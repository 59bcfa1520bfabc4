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
package org.orcagrid.ddp.replica.wire;

import java.util.List;

/**
 * Messages from one replica to another; may be lost, doubled and overtake others.
 *
 * @param view the number of the sender's view
 * @param sender the sender's incarnation
 * @param receiver the receiver's
 * @param first the number of the first message on this link
 * @param received how many messages the sender has received on the way back
 * @param behind how many messages the sender has had for this link, sent or not
 * @param hurries whether operations of the sender wait, so that the receiver holds nothing back
 * @param messages the messages, in order, not to be changed; may be none
 */
public record Packet(
    int view,
    int sender,
    int receiver,
    long first,
    long received,
    long behind,
    boolean hurries,
    List<ReplicaMessage> messages) {}
