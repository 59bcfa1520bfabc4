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

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import com.ibm.disni.verbs.impl.NatRdmaEventChannel;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A reliable connection in one of its stages, with its queue pair when it has one. */
final class CmConnection implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CmConnection.class.getName());

  private static final int RESOLVE_MILLIS = 2000;

  /**
   * 4.096 us * 2^15 = 134 ms, and as much as four times that on some devices, tried again 6 times:
   * what is lost is soon made good, and a peer that says nothing for some seconds has to be met
   * anew. Over iWARP TCP decides.
   */
  private static final int TIMEOUT_EXPONENT = 15;

  /** 7 would be for ever over soft-RoCE. */
  private static final byte RETRIES = 6;

  /** A peer has places for all that is sent to it ({@link SendWindow}); 7 is for ever. */
  private static final byte NOT_READY_RETRIES = 6;

  private final RdmaCm cm = RdmaCm.open();
  private final NatCmaIdPrivate id;

  private CmConnection(NatRdmaEventChannel channel, long number) throws IOException {
    this.id = BoundAddress.idOf(channel, number);
  }

  /** Begins one; events tell how it goes on. */
  static CmConnection towards(NatRdmaEventChannel channel, BoundAddress from, InetSocketAddress to)
      throws IOException {
    CmConnection begun = new CmConnection(channel, CmVerbs.createId(channel.getObjId()));
    try {
      // DiSNI does not pass on a source: the id must be of our device, whatever the route is.
      InetSocketAddress own = new InetSocketAddress(from.address(), 0);
      begun.cm.bindAddr(begun.id, own);
      begun.cm.resolveAddr(begun.id, own, to, RESOLVE_MILLIS);
      return begun;
    } catch (IOException e) {
      begun.close();
      throw e;
    }
  }

  /** One that a peer has asked for; if it is closed before it is accepted, it is refused. */
  static CmConnection requested(NatRdmaEventChannel channel, long number) throws IOException {
    return new CmConnection(channel, number);
  }

  long number() {
    return id.getObjId();
  }

  /** The address is resolved. */
  void resolveRoute() throws IOException {
    cm.resolveRoute(id, RESOLVE_MILLIS);
  }

  /** Creates its queue pair; see {@link CmVerbs#createQueue}. */
  long openQueue(RdmaDevice device, long completionQueueId, ByteBuffer caps) throws IOException {
    long queue = CmVerbs.createQueue(number(), device.domain().getObjId(), completionQueueId, caps);
    try {
      CmVerbs.setTimeout(number(), TIMEOUT_EXPONENT);
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "A connection over {0} keeps its own timeout: {1}",
          device,
          e.getMessage());
    }
    return queue;
  }

  /** Asks the peer for it; it has a queue pair. */
  void connect(ByteBuffer data) throws IOException {
    ByteBuffer direct = ByteBuffer.allocateDirect(data.remaining()).put(data.duplicate());
    RdmaConnParam param = param();
    param.setPrivate_data(MemoryUtils.getAddress(direct));
    param.setPrivate_data_len((byte) direct.capacity());
    try {
      cm.connect(id, param);
    } finally {
      Reference.reachabilityFence(direct);
    }
  }

  /** Lets the peer have it; it has a queue pair. */
  void accept() throws IOException {
    cm.accept(id, param());
  }

  private static RdmaConnParam param() throws IOException {
    RdmaConnParam param = new RdmaConnParam();
    param.setRetry_count(RETRIES);
    param.setRnr_retry_count(NOT_READY_RETRIES);
    return param;
  }

  /** The peer hears of it if it was connected. */
  @Override
  public void close() throws IOException {
    CmVerbs.destroyId(number());
  }
}
