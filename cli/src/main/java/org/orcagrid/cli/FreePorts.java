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
package org.orcagrid.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Finds free TCP ports on the loopback address. They lie below the range from which systems take
 * the ports of outgoing connections: a server that is stopped for a while finds its port again.
 */
public final class FreePorts {
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;

  private FreePorts() {}

  /** Returns {@code count} distinct ports, in ascending order unless the range was wrapped. */
  public static List<Integer> find(int count, RandomGenerator random) throws CommandFailure {
    return find(count, random, Set.of());
  }

  /** The same, none of which is one of {@code taken}. */
  static List<Integer> find(int count, RandomGenerator random, Set<Integer> taken)
      throws CommandFailure {
    List<Integer> found = new ArrayList<>();
    int range = HIGHEST - LOWEST;
    int start = random.nextInt(range);
    for (int i = 0; i < range && found.size() < count; i++) {
      int port = LOWEST + (start + i) % range;
      if (!taken.contains(port) && free(port)) {
        found.add(port);
      }
    }
    if (found.size() < count) {
      throw new CommandFailure(
          "No "
              + count
              + " free ports between "
              + LOWEST
              + " and "
              + HIGHEST
              + "; choose some with --base-port.");
    }
    return found;
  }

  static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      // That it cannot be bound is the answer.
      return false;
    }
  }
}
