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

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The connections of a port that have no owner yet: those that are to greet, and those on their way
 * to an owner. There is a bound for the former, and one for the latter of each thread of owners:
 * only that thread can end them, and if it stands still, the others go on. Of the port's thread.
 */
final class Greetings {
  /** Connections that may be about to greet. */
  static final int GREETING_MAX = 256;

  /** Connections that may be on their way to the owners of one thread. */
  static final int LEAVING_MAX = 256;

  private static final long MILLIS_MAX = 5_000;

  private final EventLoop loop;

  /** The oldest one first. */
  private final Map<Channel, Greeting> greeting = new LinkedHashMap<>();

  /** By the owner's thread; no map is empty. */
  private final Map<EventLoop, Map<Channel, Greeting>> leaving = new HashMap<>();

  /** A connection, and what ends it if it has no owner in time. */
  private record Greeting(AcceptHandshake handshake, ScheduledFuture<?> deadline) {}

  Greetings(EventLoop loop) {
    this.loop = loop;
  }

  /** A connection is there. */
  void begin(Channel channel, AcceptHandshake handshake) {
    if (greeting.size() >= GREETING_MAX) {
      // Whoever means it greets at once: of many who do not, a newcomer is the likeliest to.
      giveUpOldest();
    }
    ScheduledFuture<?> deadline =
        loop.schedule(
            () -> handshake.giveUp(channel, "it has not greeted in " + MILLIS_MAX + " ms"),
            MILLIS_MAX,
            TimeUnit.MILLISECONDS);
    greeting.put(channel, new Greeting(handshake, deadline));
    channel.closeFuture().addListener(closed -> end(channel));
  }

  /** Does not wait for the other side, as TLS would do: the bound is one of open connections. */
  private void giveUpOldest() {
    Map.Entry<Channel, Greeting> oldest = greeting.entrySet().iterator().next();
    Channel channel = oldest.getKey();
    oldest
        .getValue()
        .handshake()
        .giveUp(channel, "it has not greeted, and " + GREETING_MAX + " others wait to do so");
    Channels.closeAtOnce(channel);
    forget(channel);
  }

  /** A connection is to leave for a thread; whether there is room for it on the way. */
  boolean leave(Channel channel, EventLoop to) {
    Map<Channel, Greeting> others = leaving.get(to);
    if (others != null && others.size() >= LEAVING_MAX) {
      return false;
    }
    Greeting leaves = greeting.remove(channel);
    if (leaves == null) {
      // It was closed meanwhile.
      return false;
    }
    leaving.computeIfAbsent(to, first -> new HashMap<>()).put(channel, leaves);
    return true;
  }

  /** A connection has its owner, or was closed; any thread. */
  void end(Channel channel) {
    if (loop.inEventLoop()) {
      forget(channel);
      return;
    }
    try {
      loop.execute(() -> forget(channel));
    } catch (RejectedExecutionException e) {
      // The port is closed, and has forgotten all.
      assert loop.isShuttingDown();
    }
  }

  private void forget(Channel channel) {
    Greeting ended = greeting.remove(channel);
    for (var each = leaving.values().iterator(); ended == null && each.hasNext(); ) {
      Map<Channel, Greeting> there = each.next();
      ended = there.remove(channel);
      if (there.isEmpty()) {
        each.remove();
      }
    }
    if (ended != null) {
      ended.deadline().cancel(false);
    }
  }
}
