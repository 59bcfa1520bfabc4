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

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.impl.NatIbvCQ;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.orcagrid.ddp.zone.ZoneMemory;
import org.orcagrid.ddp.zone.Zones;

/**
 * A worker's zones over RDMA: a reliable queue pair for each direction and peer, beside the
 * messages. Who may write is told over TCP, and so with its TLS: the owner offers a queue pair and
 * a key ({@link ZoneHello}), the peer answers with its own queue pair, the owner connects it and
 * says so.
 *
 * <p>When anything about a peer begins anew, so do its zones: the key is revoked before another one
 * is offered.
 */
final class RdmaZones implements Zones {
  private static final System.Logger LOG = System.getLogger(RdmaZones.class.getName());

  private static final int COMPLETIONS_AT_ONCE = 64;
  private static final int PEER_MASK = 0xFF;

  private final RdmaDevice device;
  private final List<ZoneMemory> zones;
  private final Listener listener;
  private final NatIbvCQ completionQueue;
  private final long completionQueueId;
  private final ByteBuffer completions =
      ByteBuffer.allocateDirect(COMPLETIONS_AT_ONCE * Verbs.COMPLETION_BYTES)
          .order(ByteOrder.nativeOrder());
  private final ZoneIn[] in;
  private final ZoneOut[] out;

  /** The life that each peer is to be admitted to, as soon as it is there; 0 for none. */
  private final long[] wanted;

  /** Where each peer is; null while it is not. */
  private final PeerHello[] peers;

  /** The last life of each peer's zone that this end has given up: the owner begins another one. */
  private final long[] givenUp;

  /** What is written into each peer's zone, again and again. */
  private final ByteBuffer[] copies;

  private final boolean[] due;
  private boolean eventRequested;

  RdmaZones(RdmaDevice device, MessageQueue beside, List<ZoneMemory> zones, Listener listener)
      throws IOException {
    if (device.problemOfZones() != null) {
      throw new IOException(device + ": " + device.problemOfZones());
    }
    this.device = device;
    this.zones = zones;
    this.listener = listener;
    int peersMax = zones.size();
    this.completionQueue = beside.createCompletions(peersMax * (ZoneOut.REQUESTS_MAX + 1));
    this.completionQueueId = completionQueue.getObjId();
    this.in = new ZoneIn[peersMax];
    this.out = new ZoneOut[peersMax];
    this.wanted = new long[peersMax];
    this.peers = new PeerHello[peersMax];
    this.givenUp = new long[peersMax];
    this.copies = new ByteBuffer[peersMax];
    this.due = new boolean[peersMax];
  }

  // --- peers come and go -------------------------------------------------------------------------

  /** The link to a peer is up. */
  void onUp(int peer, PeerHello hello) {
    if (peers[peer] == null) {
      peers[peer] = hello;
      due[peer] = true;
      offer(peer);
    }
  }

  /** It is not, or it begins anew. */
  void onDown(int peer) {
    peers[peer] = null;
    due[peer] = false;
    givenUp[peer] = 0;
    loseIn(peer);
    loseOut(peer, null);
  }

  @Override
  public void abandon(int peer) {
    if (out[peer] != null) {
      giveUp(peer, null);
    }
  }

  private void loseIn(int peer) {
    boolean was = wanted[peer] != 0;
    closeIn(peer);
    wanted[peer] = 0;
    if (was) {
      listener.onRevoked(peer);
    }
  }

  private void closeIn(int peer) {
    if (in[peer] != null) {
      ZoneIn gone = in[peer];
      in[peer] = null;
      close(gone);
    }
  }

  private void loseOut(int peer, String fault) {
    if (out[peer] != null) {
      ZoneOut gone = out[peer];
      out[peer] = null;
      close(gone);
      listener.onLost(peer, fault);
    }
  }

  private static void close(AutoCloseable gone) {
    try {
      gone.close();
    } catch (Exception e) {
      throw new IllegalStateException(
          "A zone's queue pair cannot be given back: " + e.getMessage(), e);
    }
  }

  private void offer(int peer) {
    if (peers[peer] == null || wanted[peer] == 0 || in[peer] != null) {
      return;
    }
    try {
      in[peer] = new ZoneIn(device, completionQueueId, zones.get(peer).bytes(), wanted[peer]);
      due[peer] = true;
    } catch (IOException e) {
      // Messages do all until the link begins anew.
      LOG.log(
          System.Logger.Level.WARNING,
          "The zone for node {0} cannot be registered with {1}: {2}. Memory of a DAX file system"
              + " cannot, that of a device (ndctl create-namespace -m devdax) can",
          peer,
          device,
          e.getMessage());
    }
  }

  // --- what is said over TCP ---------------------------------------------------------------------

  /** Whether a peer is to be told how far this is. */
  boolean isDue(int peer) {
    return due[peer];
  }

  ZoneHello say(int peer) throws IOException {
    due[peer] = false;
    ZoneIn own = in[peer];
    ZoneOut taken = out[peer];
    return new ZoneHello(
        own == null ? 0 : own.life(),
        own == null ? 0 : own.number(),
        own == null ? 0 : own.key(),
        own == null ? 0 : own.address(),
        own == null ? 0 : own.zoneBytes(),
        taken == null ? 0 : taken.life(),
        taken == null ? 0 : taken.number(),
        own == null || !own.isConnected() ? 0 : own.life());
  }

  /**
   * A peer says how far it is.
   *
   * @throws IOException if it cannot be connected
   */
  void onHello(int peer, ZoneHello hello) throws IOException {
    if (peers[peer] == null) {
      return;
    }
    takeOffer(peer, hello);
    ZoneIn own = in[peer];
    if (own == null) {
      return;
    }
    boolean takes = hello.takenLife() == own.life();
    if (takes && !own.isConnected()) {
      own.connect(peers[peer], hello.takenQueue());
      due[peer] = true;
    } else if (!takes && own.isConnected()) {
      // It has given up: the owner begins another life of the zone.
      loseIn(peer);
    } else if (!takes) {
      // What it was offered has come before it knew where this node is.
      due[peer] = true;
    }
  }

  private void takeOffer(int peer, ZoneHello hello) throws IOException {
    ZoneOut present = out[peer];
    if (present != null && present.life() != hello.life()) {
      loseOut(peer, null);
    }
    if (hello.life() != 0 && out[peer] == null && hello.life() != givenUp[peer]) {
      if (hello.bytes() < ZoneMemory.BYTES_MIN
          || hello.bytes() > ZoneMemory.BYTES_MAX
          || hello.queue() == 0) {
        throw new IOException("its zone of " + hello.bytes() + " bytes is none");
      }
      if (copies[peer] == null || copies[peer].capacity() != hello.bytes()) {
        copies[peer] = ByteBuffer.allocateDirect(hello.bytes()).order(ByteOrder.nativeOrder());
      }
      out[peer] = new ZoneOut(device, completionQueueId, peers[peer], hello, copies[peer]);
      due[peer] = true;
    }
    ZoneOut taken = out[peer];
    if (taken != null && !taken.isReady() && hello.readyLife() == taken.life()) {
      taken.setReady();
      listener.onAdmitted(peer, taken.life(), taken.copy());
    }
  }

  // --- the worker's side -------------------------------------------------------------------------

  @Override
  public void admit(int peer, long life) {
    closeIn(peer);
    wanted[peer] = life;
    offer(peer);
  }

  @Override
  public void revoke(int peer) {
    closeIn(peer);
    wanted[peer] = 0;
    due[peer] = peers[peer] != null;
  }

  @Override
  public boolean hasRoom(int peer) {
    return out[peer] != null && out[peer].isReady() && out[peer].hasRoom();
  }

  @Override
  public void write(int peer, int at, int bytes) {
    if (out[peer] == null) {
      return;
    }
    try {
      out[peer].write(at, bytes, id(peer));
    } catch (IOException e) {
      giveUp(peer, e.getMessage());
    }
  }

  @Override
  public void flush(int peer, long position) {
    if (out[peer] == null) {
      return;
    }
    try {
      out[peer].flush(position, id(peer));
    } catch (IOException e) {
      giveUp(peer, e.getMessage());
    }
  }

  private long id(int peer) {
    return out[peer].life() << Byte.SIZE | peer;
  }

  private void giveUp(int peer, String fault) {
    givenUp[peer] = out[peer].life();
    loseOut(peer, fault);
    due[peer] = true;
  }

  /** Takes what has completed. */
  int poll() {
    try {
      int count = Verbs.pollCompletions(completionQueueId, completions, COMPLETIONS_AT_ONCE);
      for (int i = 0; i < count; i++) {
        int at = i * Verbs.COMPLETION_BYTES;
        complete(completions.getLong(at), completions.getInt(at + Verbs.COMPLETION_STATUS));
      }
      return count;
    } catch (IOException e) {
      throw new IllegalStateException(
          "What was written into zones of others cannot be followed: " + e.getMessage(), e);
    }
  }

  /** Requests of queue pairs that are gone complete as well. */
  private void complete(long id, int status) {
    int peer = (int) (id & PEER_MASK);
    ZoneOut of = out[peer];
    if (of == null || of.life() != id >>> Byte.SIZE) {
      return;
    }
    if (status == Verbs.STATUS_SUCCESS) {
      listener.onFlushed(peer, of.onFlushed());
    } else {
      giveUp(peer, "a write has failed: " + IbvWC.IbvWcStatus.valueOf(status));
    }
  }

  /** After this, whatever completes ends the next wait at the queue that this was made beside. */
  void requestEvent() {
    if (!eventRequested) {
      try {
        Verbs.requestEvent(completionQueueId);
        eventRequested = true;
      } catch (IOException e) {
        throw new IllegalStateException(
            "What was written into zones of others cannot be waited for: " + e.getMessage(), e);
      }
    }
  }

  /** There may have been an event. */
  void onWoken() {
    eventRequested = false;
  }

  void close() throws IOException {
    for (int peer = 0; peer < in.length; peer++) {
      if (in[peer] != null) {
        in[peer].close();
      }
      if (out[peer] != null) {
        out[peer].close();
      }
    }
    RdmaVerbs.open().destroyCQ(completionQueue);
  }
}
