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

import java.io.IOException;
import java.util.Iterator;
import java.util.Locale;
import java.util.ServiceLoader;

/**
 * Which transport the nodes of a process are to have. In settings it is a word, and where there is
 * more than one device its name, port and address: {@code auto}, {@code rdma:mlx5_0}, {@code
 * rdma:mlx5_0/1}, {@code rdma-connections:mlx5_0/1/3}.
 *
 * @param kind of transport
 * @param device for RDMA, as {@code ibv_devices} prints it; null for the first that has an active
 *     port
 * @param port of the device, from 1
 * @param gidIndex which of the port's addresses; -1 for the best
 */
public record TransportChoice(Kind kind, String device, int port, int gidIndex) {
  /** TCP, which is always there. */
  public static final TransportChoice TCP = new TransportChoice(Kind.TCP, null, 1, -1);

  private static final String FORM =
      "A transport is auto, rdma, rdma-connections or tcp, for RDMA with a device, its port and the"
          + " index of an address as in rdma:mlx5_0/1/3, not \"";

  /** Kinds of transports. */
  public enum Kind {
    /** RDMA where there is a device and the libraries, else TCP. */
    AUTO,
    /** RDMA, or nothing; with datagrams where the device has them. */
    RDMA,
    /** RDMA with a reliable connection for each peer, or nothing. */
    RDMA_CONNECTIONS,
    /** TCP. */
    TCP;

    /** As it is written in settings. */
    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Finds the transport over RDMA, which is in a module that need not be there. */
  public interface RdmaProvider {
    /**
     * Looks for the device.
     *
     * @throws IOException if there is no RDMA with it, saying what is missing
     */
    NodeTransports find(TransportChoice wish) throws IOException;

    /**
     * Maps memory for zones; it needs no device.
     *
     * @throws IOException if it cannot be mapped, or does not keep what is written into it
     */
    MappedZones map(ZoneSettings settings) throws IOException;
  }

  /**
   * Reads one as it is written in settings.
   *
   * @throws IllegalArgumentException if it is none, saying how one is written
   */
  public static TransportChoice parse(String text) {
    String[] parts = text.trim().split(":", 2);
    Kind kind = null;
    for (Kind each : Kind.values()) {
      kind = each.word().equalsIgnoreCase(parts[0].trim()) ? each : kind;
    }
    if (kind == null || (parts.length > 1 && (kind == Kind.TCP || parts[1].isBlank()))) {
      throw new IllegalArgumentException(FORM + text.trim() + "\"");
    }
    if (parts.length == 1) {
      return new TransportChoice(kind, null, 1, -1);
    }
    String[] where = parts[1].trim().split("/", -1);
    try {
      int port = where.length > 1 ? Integer.parseInt(where[1]) : 1;
      int gidIndex = where.length > 2 ? Integer.parseInt(where[2]) : -1;
      boolean isGid = where.length < 3 || gidIndex >= 0;
      if (where.length > 3 || where[0].isBlank() || port < 1 || !isGid) {
        throw new IllegalArgumentException(FORM + text.trim() + "\"");
      }
      return new TransportChoice(kind, where[0], port, gidIndex);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(FORM + text.trim() + "\"", e);
    }
  }

  /**
   * What can be had of what is wanted.
   *
   * @param listener is told which transport it is, and why, unless just TCP is wanted
   * @throws IOException if RDMA is wanted and not there, saying why
   */
  public NodeTransports open(LinkListener listener) throws IOException {
    if (kind == Kind.TCP) {
      return NodeTransports.TCP;
    }
    try {
      NodeTransports found = provider().find(this);
      listener.onTransport("RDMA: " + found);
      return found;
    } catch (IOException e) {
      if (kind != Kind.AUTO) {
        throw new IOException("There is no transport " + this + ": " + e.getMessage(), e);
      }
      listener.onTransport("TCP, as there is no RDMA: " + e.getMessage());
      return NodeTransports.TCP;
    }
  }

  private static RdmaProvider provider() throws IOException {
    Iterator<RdmaProvider> providers =
        ServiceLoader.load(RdmaProvider.class, TransportChoice.class.getClassLoader()).iterator();
    if (!providers.hasNext()) {
      throw new IOException("transport-rdma is not on the class path");
    }
    return providers.next();
  }

  /**
   * Maps memory for zones, whichever transport there is: what has landed in it before has to be
   * read also where there is only TCP.
   *
   * @throws IOException if it cannot be mapped, or does not keep what is written into it
   */
  public static MappedZones map(ZoneSettings settings) throws IOException {
    try {
      return provider().map(settings);
    } catch (IOException e) {
      throw new IOException(
          "There are no zones in " + settings.memory() + ": " + e.getMessage(), e);
    }
  }

  /** As it is written in settings. */
  @Override
  public String toString() {
    String word = kind.word();
    if (device == null) {
      return word;
    }
    return word + ":" + device + "/" + port + (gidIndex < 0 ? "" : "/" + gidIndex);
  }
}
