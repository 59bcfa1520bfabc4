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

import java.io.IOException;
import org.orcagrid.ddp.node.Roster;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodeTransport;
import org.orcagrid.transport.tcp.NodeTransports;
import org.orcagrid.transport.tcp.TcpSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transports over RDMA, or over TCP where there is no RDMA. */
public final class RdmaTransports implements NodeTransports {
  private static final Logger LOG = LoggerFactory.getLogger(RdmaTransports.class);

  private final RdmaSettings rdma;

  private RdmaTransports(RdmaSettings rdma) {
    this.rdma = rdma;
  }

  /** What is wanted. */
  public enum Wish {
    /** RDMA where there is a device and the libraries, else TCP. */
    AUTO,
    /** RDMA, or nothing. */
    RDMA,
    /** TCP. */
    TCP;

    /** Reads one as it is written in settings. */
    public static Wish of(String text) {
      for (Wish each : values()) {
        if (each.name().equalsIgnoreCase(text.trim())) {
          return each;
        }
      }
      throw new IllegalArgumentException(
          "A transport is auto, rdma or tcp, not \"" + text.trim() + "\"");
    }
  }

  /**
   * What can be had of what is wanted; one line of the log says what, and why.
   *
   * @throws IOException if RDMA is wanted and not there, saying why
   */
  public static NodeTransports of(Wish wish, RdmaSettings rdma) throws IOException {
    if (wish == Wish.TCP) {
      LOG.info("The nodes of this process talk over TCP, as they are told to");
      return TCP;
    }
    try (RdmaDevice device = RdmaDevice.open(rdma)) {
      LOG.info("The nodes of this process talk over RDMA: {}", device);
      return new RdmaTransports(rdma);
    } catch (IOException e) {
      if (wish == Wish.RDMA) {
        throw e;
      }
      LOG.info("The nodes of this process talk over TCP: {}", e.getMessage());
      return TCP;
    }
  }

  @Override
  public NodeTransport ofNodes(
      TcpSettings settings, Roster roster, IoKind kind, LinkListener listener) throws IOException {
    return roster == null
        ? RdmaTransport.ofFixed(settings, rdma, kind, listener)
        : RdmaTransport.ofRoster(settings, rdma, roster, kind, listener);
  }

  @Override
  public NodeTransport ofPlaces(TcpSettings settings, IoKind kind, LinkListener listener)
      throws IOException {
    return RdmaTransport.ofPlaces(settings, rdma, kind, listener);
  }
}
