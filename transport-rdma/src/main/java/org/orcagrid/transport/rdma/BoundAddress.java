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
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import com.ibm.disni.verbs.impl.NatIbvContext;
import com.ibm.disni.verbs.impl.NatRdmaEventChannel;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * An IPv4 address of this host that an RDMA device has, and the device as librdmacm has it open:
 * connections are made of its context, and of no other.
 */
final class BoundAddress implements AutoCloseable {
  private final Resources resources;
  private final Inet4Address address;
  private final long context;
  private final String deviceName;
  private final int port;

  private BoundAddress(Resources resources, long id, Inet4Address address) throws IOException {
    this.resources = resources;
    this.address = address;
    this.context = CmVerbs.context(id);
    this.deviceName = CmVerbs.deviceName(context);
    this.port = CmVerbs.port(id);
  }

  /**
   * The address that is asked for, or the first that is the port's: one that a host has drawn for
   * itself (169.254/16) only if there is no other.
   *
   * @param device its name
   * @param wanted null for any
   * @throws IOException if there is none
   */
  static BoundAddress find(String device, int port, Inet4Address wanted) throws IOException {
    IOException reason = null;
    List<Inet4Address> addresses = wanted == null ? ownAddresses() : List.of(wanted);
    for (Inet4Address address : addresses) {
      try {
        BoundAddress bound = bind(address);
        if (bound.deviceName.equals(device) && bound.port == port) {
          return bound;
        }
        bound.close();
      } catch (IOException e) {
        // Of a network that has no RDMA: the next may have.
        reason = e;
      }
    }
    throw new IOException(
        "Connections are made between IPv4 addresses, and port "
            + port
            + " of "
            + device
            + " does not have "
            + (wanted == null ? "one on this host" : wanted.getHostAddress())
            + ": give its network interface an address"
            + (reason == null ? "" : " (" + reason.getMessage() + ")"),
        reason);
  }

  private static List<Inet4Address> ownAddresses() throws IOException {
    List<Inet4Address> addresses = new ArrayList<>();
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      if (each.isUp() && !each.isLoopback()) {
        each.inetAddresses()
            .filter(Inet4Address.class::isInstance)
            .map(Inet4Address.class::cast)
            .forEach(addresses::add);
      }
    }
    addresses.sort(Comparator.comparing(Inet4Address::isLinkLocalAddress));
    return addresses;
  }

  private static BoundAddress bind(Inet4Address address) throws IOException {
    RdmaCm cm = RdmaCm.open();
    Resources resources = new Resources();
    try {
      NatRdmaEventChannel channel = (NatRdmaEventChannel) cm.createEventChannel();
      resources.add(() -> cm.destroyEventChannel(channel));
      NatCmaIdPrivate id = idOf(channel, CmVerbs.createId(channel.getObjId()));
      resources.add(() -> cm.destroyCmId(id));
      cm.bindAddr(id, new InetSocketAddress(address, 0));
      return new BoundAddress(resources, id.getObjId(), address);
    } catch (IOException e) {
      resources.closeAfter(e);
      throw e;
    }
  }

  /** An id as DiSNI's methods want it. */
  static NatCmaIdPrivate idOf(NatRdmaEventChannel channel, long number) throws IOException {
    return new NatCmaIdPrivate(number, channel, null);
  }

  Inet4Address address() {
    return address;
  }

  /** The device's context, which goes with this. */
  long context() {
    return context;
  }

  IbvContext disni() throws IOException {
    return new NatIbvContext(context, null);
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
