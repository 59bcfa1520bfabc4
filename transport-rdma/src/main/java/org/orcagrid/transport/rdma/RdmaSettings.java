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
package org.orcagrid.transport.rdma;

/**
 * Which device, and how much of it a worker takes.
 *
 * @param device its name as {@code ibv_devices} prints it; null for the first that has an active
 *     port
 * @param port of the device, from 1
 * @param gidIndex which of the port's addresses; -1 for the best: RoCE v2 with an IPv4 address
 *     before RoCE v2 before others
 * @param packetsPerPeer packets that can be on their way to one peer; a power of two
 * @param datagramsPerPeer datagrams that one peer may have under way to a worker: the memory for
 *     them is there before they are sent
 * @param connections whether messages go over reliable connections also where there are datagrams;
 *     all nodes have the same
 */
public record RdmaSettings(
    String device,
    int port,
    int gidIndex,
    int packetsPerPeer,
    int datagramsPerPeer,
    boolean connections) {
  /** Any device, and memory for what a busy worker has under way; datagrams where there are. */
  public static final RdmaSettings DEFAULT = new RdmaSettings(null, 1, -1, 16, 128, false);

  private static final int PACKETS_MIN = 8;
  private static final int PACKETS_MAX = 1024;

  /** Refuses what cannot work. */
  public RdmaSettings {
    if (port < 1 || gidIndex < -1) {
      throw new IllegalArgumentException(
          "A port is counted from 1 and an address from 0, not port " + port + ", " + gidIndex);
    }
    if (packetsPerPeer < PACKETS_MIN
        || packetsPerPeer > PACKETS_MAX
        || Integer.bitCount(packetsPerPeer) != 1) {
      throw new IllegalArgumentException(
          "Packets for each peer are a power of two from "
              + PACKETS_MIN
              + " to "
              + PACKETS_MAX
              + ", not "
              + packetsPerPeer);
    }
    if (datagramsPerPeer < packetsPerPeer) {
      throw new IllegalArgumentException(
          "Of " + packetsPerPeer + " packets each is a datagram at least, not " + datagramsPerPeer);
    }
  }

  /** The same over reliable connections. */
  public RdmaSettings withConnections() {
    return new RdmaSettings(device, port, gidIndex, packetsPerPeer, datagramsPerPeer, true);
  }
}
