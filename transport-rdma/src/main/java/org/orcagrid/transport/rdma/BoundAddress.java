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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;

/**
 * An IPv4 address of this host that an RDMA device has, and the device as librdmacm has it open:
 * connections are made of its context, and of no other.
 */
final class BoundAddress implements AutoCloseable {
  private final NatRdmaEventChannel channel;
  private final NatCmaIdPrivate id;
  private final Inet4Address address;
  private final long context;
  private final String deviceName;

  private BoundAddress(
      NatRdmaEventChannel channel, NatCmaIdPrivate id, Inet4Address address, long context)
      throws IOException {
    this.channel = channel;
    this.id = id;
    this.address = address;
    this.context = context;
    this.deviceName = CmVerbs.deviceName(context);
  }

  /**
   * The first address that is the device's.
   *
   * @param device its name; null for any
   * @throws IOException if there is none
   */
  static BoundAddress find(String device) throws IOException {
    IOException reason = null;
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      if (!each.isUp() || each.isLoopback()) {
        continue;
      }
      for (InetAddress address : each.inetAddresses().toList()) {
        if (!(address instanceof Inet4Address ipv4)) {
          continue;
        }
        try {
          BoundAddress bound = bind(ipv4);
          if (device == null || bound.deviceName.equals(device)) {
            return bound;
          }
          bound.close();
        } catch (IOException e) {
          // Of a network that has no RDMA: the next may have.
          reason = e;
        }
      }
    }
    throw new IOException(
        "Connections are made between IPv4 addresses, and "
            + (device == null ? "no RDMA device" : device)
            + " has one on this host: give its network interface an address"
            + (reason == null ? "" : " (" + reason.getMessage() + ")"),
        reason);
  }

  private static BoundAddress bind(Inet4Address address) throws IOException {
    RdmaCm cm = RdmaCm.open();
    NatRdmaEventChannel channel = (NatRdmaEventChannel) cm.createEventChannel();
    NatCmaIdPrivate id = null;
    try {
      id = idOf(channel, CmVerbs.createId(channel.getObjId()));
      cm.bindAddr(id, new InetSocketAddress(address, 0));
      return new BoundAddress(channel, id, address, CmVerbs.context(id.getObjId()));
    } catch (IOException e) {
      if (id != null) {
        cm.destroyCmId(id);
      }
      cm.destroyEventChannel(channel);
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

  String deviceName() {
    return deviceName;
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
    RdmaCm cm = RdmaCm.open();
    cm.destroyCmId(id);
    cm.destroyEventChannel(channel);
  }
}
