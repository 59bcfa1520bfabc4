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
package org.orcagrid.geo.log;

import org.orcagrid.geo.partition.Moment;
import org.orcagrid.geo.wire.Encoder;

/**
 * Who has a partition's log, and applies what is committed. Of one thread, but for {@link
 * #execute}.
 */
public interface LogHost {
  /** The partition's number. */
  int number();

  /** The journal of its thread, for logs that write there. */
  GroupJournal journal();

  /** What the clocks show. */
  Moment moment();

  /** Something happens to the log: the host takes the time, and looks at what came of it. */
  void wake();

  /** Does something in the host's thread, unless the host has ended; from any thread. */
  void execute(Runnable task);

  // --- what the group tells each other -----------------------------------------------------------

  /** The node's hybrid time, which a new leader must have heard from a majority. */
  long time();

  /** Another node has said something at its hybrid time. */
  void heardTime(long time);

  /** An empty frame of this log, to be filled and {@linkplain #send sent} before the next one. */
  Encoder frame();

  /** Sends the frame to the same log at a node. It may be lost, doubled or overtaken. */
  void send(int to, Encoder frame);

  // --- what is committed -------------------------------------------------------------------------

  /** An entry is committed, the next one; {@code command} is null if it has none. */
  void committed(long index, long term, byte[] command);

  /** A snapshot of {@link LogNode#files} is the state from now on. */
  void restore(HostedLog.Base base);

  /** The last entry that is applied. */
  long applied();

  /** The log wants older entries to go. */
  void snapshot();
}
