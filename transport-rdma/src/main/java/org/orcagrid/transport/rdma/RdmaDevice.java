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

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.impl.NatIbvContext;
import com.ibm.disni.verbs.impl.NatIbvPd;
import java.io.IOException;
import java.net.Inet4Address;

/**
 * An open device, one of its ports, and the address that peers reach it by. Any thread may use it;
 * whoever opens it closes it, after all that was made with it.
 */
final class RdmaDevice implements AutoCloseable {
  /** With less there would be more headers than content. */
  static final int MTU_BYTES_MIN = 1024;

  private final String name;
  private final int port;
  private final BoundAddress bound;
  private final long context;
  private final PortInfo info;
  private final int gidIndex;
  private final Gid gid;
  private final IbvContext disni;
  private final NatIbvPd domain;

  private RdmaDevice(String name, RdmaSettings settings, BoundAddress bound, long context)
      throws IOException {
    this.name = name;
    this.port = settings.port();
    this.bound = bound;
    this.context = context;
    this.info = PortInfo.of(context, port);
    if (!info.isActive()) {
      throw new IOException("Port " + port + " of " + name + " has no active link");
    }
    if (info.mtuBytes() < MTU_BYTES_MIN) {
      throw new IOException(
          name
              + " sends datagrams of "
              + info.mtuBytes()
              + " bytes, and "
              + MTU_BYTES_MIN
              + " are needed: raise the MTU of its network interface to 1500 or more");
    }
    this.gidIndex = settings.gidIndex() >= 0 ? settings.gidIndex() : Gid.best(context, port, info);
    this.gid = gidIndex < 0 ? null : Gid.of(context, port, gidIndex);
    if (gid == null && bound == null && !info.isIwarp()) {
      throw new IOException(
          "Port "
              + port
              + " of "
              + name
              + (settings.gidIndex() < 0 ? " has no address" : " has no address " + gidIndex)
              + ": give its network interface an IP address, and see show_gids or"
              + " /sys/class/infiniband/"
              + name
              + "/ports/"
              + port
              + "/gids");
    }
    this.disni = bound == null ? new NatIbvContext(context, null) : bound.disni();
    this.domain = domain(disni.allocPd());
  }

  private static NatIbvPd domain(IbvPd allocated) throws IOException {
    if (allocated instanceof NatIbvPd domain) {
      return domain;
    }
    throw new IOException("DiSNI has another provider than its native one");
  }

  /**
   * Opens the device of the settings, or the first that will do.
   *
   * @throws IOException if there is none, saying why
   */
  static RdmaDevice open(RdmaSettings settings) throws IOException {
    NativeLibrary.require();
    String[] names = settings.device() == null ? Verbs.devices() : new String[] {settings.device()};
    if (names.length == 0) {
      throw new IOException(
          "This machine has no RDMA device: ibv_devices lists none, be it for want of a card or of"
              + " its kernel modules");
    }
    IOException reason = null;
    for (String each : names) {
      try {
        return settings.connections() ? connected(each, settings) : opened(each, settings);
      } catch (IOException e) {
        if (reason != null) {
          e.addSuppressed(reason);
        }
        reason = e;
      }
    }
    throw reason;
  }

  private static RdmaDevice opened(String name, RdmaSettings settings) throws IOException {
    RdmaDevice opened = forDatagrams(name, settings);
    String problem;
    try {
      problem = DatagramQueue.problem(opened);
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    if (problem == null) {
      return opened;
    }
    opened.close();
    try {
      return connected(name, settings);
    } catch (IOException e) {
      throw new IOException(
          name + " has no datagrams (" + problem + "), and no connections: " + e.getMessage(), e);
    }
  }

  private static RdmaDevice forDatagrams(String name, RdmaSettings settings) throws IOException {
    long context = Verbs.openDevice(name);
    try {
      return new RdmaDevice(name, settings, null, context);
    } catch (IOException e) {
      Verbs.closeDevice(context);
      throw e;
    }
  }

  private static RdmaDevice connected(String name, RdmaSettings settings) throws IOException {
    BoundAddress bound = BoundAddress.find(name, settings.port(), wanted(name, settings));
    try {
      return new RdmaDevice(name, settings, bound, bound.context());
    } catch (IOException e) {
      bound.close();
      throw e;
    }
  }

  /** What the index of the settings stands for; over iWARP it stands for no address. */
  private static Inet4Address wanted(String name, RdmaSettings settings) throws IOException {
    if (settings.gidIndex() < 0) {
      return null;
    }
    long context = Verbs.openDevice(name);
    try {
      Gid gid = Gid.of(context, settings.port(), settings.gidIndex());
      return gid == null ? null : gid.ipv4();
    } finally {
      Verbs.closeDevice(context);
    }
  }

  String name() {
    return name;
  }

  PortInfo info() {
    return info;
  }

  int port() {
    return port;
  }

  /** Its address; all zero if it has none, which only connections can do without. */
  Gid gid() {
    return gid == null ? Gid.NONE : gid;
  }

  /** Where connections are made; null if messages are datagrams. */
  BoundAddress bound() {
    return bound;
  }

  /** Why peers cannot write into its memory past its processor; null if they can. */
  String problemOfZones() {
    return info.isIwarp()
        ? "over iWARP there is no way to connect their queue pairs"
        : gid == null ? "port " + port + " has no address" : null;
  }

  int gidIndex() {
    return gidIndex;
  }

  IbvContext disni() {
    return disni;
  }

  NatIbvPd domain() {
    return domain;
  }

  @Override
  public void close() throws IOException {
    RdmaVerbs.open().deallocPd(domain);
    if (bound != null) {
      bound.close();
    } else {
      Verbs.closeDevice(context);
    }
  }

  @Override
  public String toString() {
    return name
        + ", port "
        + port
        + ", address "
        + (bound == null ? gid.toString() : bound.address().getHostAddress())
        + (info.isIwarp() ? ", iWARP" : info.isEthernet() ? ", RoCE" : ", InfiniBand")
        + (bound == null ? ", datagrams of " : ", connections with messages of ")
        + info.mtuBytes()
        + " bytes";
  }
}
