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
package org.apache.zookeeper;

import org.apache.zookeeper.Watcher.Event.EventType;
import org.orcagrid.simulator.checker.Access;
import org.orcagrid.simulator.checker.znode.ZnodeWatch;

/**
 * A watch that is asked for with one read. The thread of the client that runs callbacks tells it of
 * the answer and, later, of the event.
 */
public final class RecordedWatch implements Watcher {
  private final int session;
  private final String path;
  private final boolean ofChildren;
  private long zxid;
  private long setNanos;
  private long eventZxid;
  private long eventNanos = Access.NEVER;

  RecordedWatch(int session, String path, boolean ofChildren) {
    this.session = session;
    this.path = path;
    this.ofChildren = ofChildren;
  }

  synchronized void onSet(long shownZxid, long nanos) {
    zxid = shownZxid;
    setNanos = nanos;
  }

  @Override
  public synchronized void process(WatchedEvent event) {
    if (event.getType() != EventType.None && eventNanos == Access.NEVER) {
      eventZxid = event.getZxid();
      eventNanos = System.nanoTime();
    }
  }

  /** What became of it so far. */
  public synchronized ZnodeWatch recorded() {
    return new ZnodeWatch(session, path, ofChildren, zxid, setNanos, eventZxid, eventNanos);
  }
}
