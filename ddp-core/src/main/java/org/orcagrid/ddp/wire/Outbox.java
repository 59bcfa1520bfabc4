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
package org.orcagrid.ddp.wire;

/**
 * Where a protocol puts what it has to send. What is claimed is part of the next packet to that
 * peer; packets may be lost, doubled and overtake each other.
 */
@FunctionalInterface
public interface Outbox {

  /**
   * Turns {@code into} to room for a message. The caller writes it before it claims again.
   *
   * @return false if there is no room: the message is as good as lost, and the protocol's own
   *     repetition brings it later
   */
  boolean claim(int peer, int bytes, Message into);
}
