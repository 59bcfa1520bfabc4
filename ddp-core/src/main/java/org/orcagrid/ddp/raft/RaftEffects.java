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
package org.orcagrid.ddp.raft;

/**
 * What a {@link Raft} wants done. Its calls come from within those of {@link Raft}; an
 * implementation notes them, and calls back later only.
 */
public interface RaftEffects {
  /** Sends a message. It may be lost, doubled or overtaken. */
  void send(int to, RaftMessage message);

  /**
   * Writes a record to the disk, behind all before it. When it is durable, the owner calls {@link
   * Raft#onPersisted}; all before it are durable then, too.
   */
  void persist(long ticket, RaftRecord record);

  /** An entry is committed. Each comes once in a life, in the order of the log. */
  void apply(RaftEntry entry);

  /**
   * A follower needs a piece of this node's snapshot. {@link Raft#onSnapshotRead} gets it. If there
   * is another snapshot by now, nothing is to be done.
   */
  void readSnapshot(int follower, SnapshotMark mark, long offset);

  /**
   * Keeps a piece of the leader's snapshot. A piece at offset 0 begins anew. When it is durable,
   * the owner calls {@link Raft#onSnapshotWritten}.
   */
  void writeSnapshot(SnapshotPart part);

  /** The leader's snapshot, all pieces of which are on the disk, is the state from now on. */
  void restore(SnapshotMark mark);
}
