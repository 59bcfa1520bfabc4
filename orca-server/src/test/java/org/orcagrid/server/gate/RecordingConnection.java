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
package org.orcagrid.server.gate;

import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.proto.ReplyHeader;

/** Keeps what was delivered; reads requests again after each delivery, as the stock server does. */
final class RecordingConnection implements HeldReplies.Connection {
  private final List<Integer> delivered = new ArrayList<>();
  private boolean reading = true;
  private boolean ended;

  static HeldReplies.Reply reply(int xid) {
    return new HeldReplies.Response(new ReplyHeader(xid, 0, 0), null, "tag", null, null, 0);
  }

  @Override
  public synchronized int deliver(HeldReplies.Reply reply) {
    if (reply instanceof HeldReplies.Response response) {
      delivered.add(response.header().getXid());
      reading = true;
      return 100;
    }
    ended = true;
    return 0;
  }

  @Override
  public synchronized void pauseReading() {
    reading = false;
  }

  @Override
  public synchronized void resumeReading() {
    reading = true;
  }

  synchronized List<Integer> delivered() {
    return List.copyOf(delivered);
  }

  synchronized boolean isReading() {
    return reading;
  }

  synchronized boolean hasEnded() {
    return ended;
  }
}
