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
package org.apache.zookeeper.server.quorum;

import java.util.List;
import org.apache.zookeeper.data.Id;

/**
 * What a leader of ours tells a follower beside a proposal or a commit: a list of identities. In
 * stock ZooKeeper neither packet has one, and stock ignores it.
 */
final class PacketMarks {

  /** Of a proposal: it is committed already. Of a commit: the write is durable. */
  static final List<Id> PLAIN = List.of();

  /** Of a proposal: it commits once it is durable, so it is forced before it is acknowledged. */
  static final List<Id> LATE = List.of(new Id("orca", "late"));

  /** Of a commit: the write is durable, and the leader wants to know once it is applied. */
  static final List<Id> ASKS_APPLIED = List.of(new Id("orca", "applied"));

  private PacketMarks() {}
}
