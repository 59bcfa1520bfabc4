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
package org.orcagrid.transport.tcp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;

/** Whom a connection of a {@link NodePort} belongs to once it has greeted. */
public interface ConnectionOwner {
  /**
   * Whose the next connection is: this one's, unless connections are shared out. Called in the
   * port's thread.
   */
  default ConnectionOwner next() {
    return this;
  }

  /** What runs the connection from then on. */
  EventLoop loop();

  /** Why the connection is not taken after all, null if it is; called in the loop's thread. */
  String objection();

  /** Adds what reads the connection to its pipeline; called in the loop's thread. */
  void own(ChannelHandlerContext context);
}
