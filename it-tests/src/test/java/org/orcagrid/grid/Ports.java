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
package org.orcagrid.grid;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.membership.LeaseTimes;
import org.orcagrid.node.KeySettings;
import org.orcagrid.transport.tcp.PortSecurity;

/**
 * Ports for a grid, settings for a small one, and what the lab (docs/rdma.md) says of both: there
 * these tests run over RDMA, on an emulated processor.
 */
public final class Ports {
  /** What nodes talk to each other over. */
  static final String TRANSPORT = System.getProperty("orca.lab.transport", "auto");

  /** How long a grid may take to begin to serve, and an operation to be answered. */
  static final Duration PATIENCE = Duration.ofSeconds(Long.getLong("orca.lab.patience", 60));

  /** What nodes of maps grant each other. */
  static final LeaseTimes LEASE =
      LeaseTimes.ofLease(TimeUnit.MILLISECONDS.toNanos(Long.getLong("orca.lab.lease", 800)));

  /** The same, as settings have it. */
  static final String LEASE_MILLIS =
      Long.toString(TimeUnit.NANOSECONDS.toMillis(LEASE.leaseNanos()));

  /** What a node has in memory. */
  static final KeySettings KEYS = new KeySettings(64, 1024, 64 << 20);

  static final Map<String, String> SMALL =
      Map.of("grid.bytes", "67108864", "grid.transport", TRANSPORT, "grid.lease.ms", LEASE_MILLIS);

  private static final int LOWEST = 20_000;
  private static final int COUNT = 10_000;
  private static final int NODES = 5;

  private Ports() {}

  /**
   * What the guests of a lab prove to each other, whose addresses are not this host's: a secret
   * that is no secret, in a file of this process.
   */
  static PortSecurity security() throws IOException {
    Path file = Files.createTempFile("grid", ".secret");
    file.toFile().deleteOnExit();
    Files.writeString(file, "what all guests of a lab know");
    return PortSecurity.NONE.withSecret(file);
  }

  /** A port from which on there is room for a grid. */
  public static int base() {
    Random random = new Random();
    while (true) {
      int base = LOWEST + random.nextInt(COUNT);
      boolean free = true;
      for (int i = 0; i < NODES; i++) {
        free &= isFree(base + i);
      }
      if (free) {
        return base;
      }
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      // That it cannot be bound is the answer.
      return false;
    }
  }
}
