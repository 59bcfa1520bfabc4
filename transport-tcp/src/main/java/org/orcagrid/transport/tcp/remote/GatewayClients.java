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
package org.orcagrid.transport.tcp.remote;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.EventExecutor;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.node.SessionHost;
import org.orcagrid.transport.tcp.Channels;

/**
 * The clients that a node knows, by tokens that nobody can guess. One that has lost its connection
 * is known for some seconds more. Of the gateway's thread.
 */
final class GatewayClients {
  /** Those that are there and those that may come back. */
  static final int MAX = 1024;

  /** So long a client that is away is known: longer than one tries to come back. */
  static final int KEPT_SECONDS = 5;

  private final String who;
  private final SessionHost node;
  private final GatewayMaps.Host maps;
  private final SecureRandom random = new SecureRandom();
  private final Map<Long, GatewayClient> known = new LinkedHashMap<>();

  /**
   * Nobody yet.
   *
   * @param who what each of them is, for logs
   */
  GatewayClients(String who, SessionHost node, GatewayMaps.Host maps) {
    this.who = who;
    this.node = node;
    this.maps = maps;
  }

  String who() {
    return who;
  }

  SessionHost node() {
    return node;
  }

  /** A new client; null if there are too many. One that is away makes room. */
  GatewayClient begin(EventExecutor thread) {
    if (known.size() >= MAX) {
      known.values().stream()
          .filter(each -> each.connection() == null)
          .findFirst()
          .ifPresent(this::end);
    }
    if (known.size() >= MAX) {
      return null;
    }
    long token = random.nextLong();
    while (token == 0 || known.containsKey(token)) {
      token = random.nextLong();
    }
    GatewayClient client = new GatewayClient(token, node, maps, thread);
    known.put(token, client);
    return client;
  }

  /** A client that is known; null if none is by this token. */
  GatewayClient find(long token) {
    return known.get(token);
  }

  /** A client has lost its connection. */
  void lost(GatewayClient client, EventExecutor thread) {
    try {
      client.detach(thread.schedule(() -> end(client), KEPT_SECONDS, TimeUnit.SECONDS));
    } catch (RejectedExecutionException e) {
      // The gateway is closing.
      end(client);
    }
  }

  /** A client will not come back. */
  void end(GatewayClient client) {
    known.remove(client.token());
    client.close();
  }

  /** Ends all, with their connections. */
  void close() {
    for (GatewayClient client : new ArrayList<>(known.values())) {
      ChannelHandlerContext connection = client.connection();
      end(client);
      if (connection != null) {
        Channels.close(connection);
      }
    }
  }
}
