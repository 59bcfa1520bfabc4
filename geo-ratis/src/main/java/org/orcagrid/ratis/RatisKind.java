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
package org.orcagrid.ratis;

import java.io.IOException;
import org.orcagrid.geo.log.LogKind;
import org.orcagrid.geo.log.LogNode;
import org.orcagrid.geo.log.NodeLogs;
import org.orcagrid.transport.tcp.HostPort;

/**
 * Groups of Apache Ratis over gRPC. Ratis listens at the node's address, at a port that is greater
 * by {@link #PORT_OFFSET}. Who may connect there proves nothing, so it has to be a loopback
 * address.
 */
public final class RatisKind implements LogKind {
  /** What {@code geo.log} calls it. */
  public static final String NAME = "ratis";

  /** How much greater Ratis' port is than the node's. */
  public static final int PORT_OFFSET = 1_000;

  private static final int PORT_MAX = 65_535;
  private static final int SEGMENT_BYTES = 8 << 20;

  private final int segmentBytes;

  /** With segments of 8 MB. */
  public RatisKind() {
    this(SEGMENT_BYTES);
  }

  /** A log lets go of whole segments. */
  RatisKind(int segmentBytes) {
    this.segmentBytes = segmentBytes;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public NodeLogs open(LogNode node) throws IOException {
    for (HostPort each : node.nodes()) {
      if (each.port() > PORT_MAX - PORT_OFFSET) {
        throw new IOException(
            "geo.log=ratis listens at the node's port and "
                + PORT_OFFSET
                + ", which "
                + each
                + " has no room for; choose a port up to "
                + (PORT_MAX - PORT_OFFSET));
      }
    }
    HostPort own = node.nodes().get(node.number());
    if (!own.resolve().getAddress().isLoopbackAddress()) {
      throw new IOException(
          "geo.log=ratis asks nobody for proof, and "
              + own
              + " is no loopback address; use 127.0.0.1 at all nodes, or geo.log=raft");
    }
    return new RatisLogs(node, segmentBytes);
  }
}
