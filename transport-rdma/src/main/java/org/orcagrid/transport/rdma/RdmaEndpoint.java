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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.ddp.zone.ZoneMemory;
import org.orcagrid.ddp.zone.Zones;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.TcpSettings;

/**
 * A worker's queue pair, and its links. An endpoint over TCP finds the peers, authenticates them,
 * carries their greetings and notices when they go; packets are datagrams, or messages of a
 * connection with each peer.
 *
 * <p>What is sent gathers until the next poll or wait, so that a broadcast is one call and one
 * doorbell.
 */
final class RdmaEndpoint implements Endpoint {
  private static final long CONTROL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long AWAIT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long AWAIT_NANOS_MAX_UP = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int CREDITS = 16;
  private static final int CREDIT_DATAGRAMS_PER_PEER = 8;
  private static final int CONTROL_PACKETS = 16;

  private final RdmaTransport transport;
  private final RdmaDevice device;
  private final Endpoint control;
  private final TcpSettings settings;
  private final LinkListener listener;
  private final int worker;
  private final RdmaLink.Shape shape;
  private final MessageQueue queue;
  private final ByteBuffer memory;
  private final RdmaLink[] links;
  private final ByteBuffer[] contents;
  private final SecureRandom random = new SecureRandom();

  // What each peer is to be told over TCP, and from when on.
  private final boolean[] helloDue;
  private final long[] helloAt;
  private final boolean[] reachable;
  private final boolean[] told;

  // Made once: nothing is allocated for a packet.
  private final PacketHandler greetings = this::onHello;
  private final MessageQueue.Receiver messages = this::onMessage;

  /** Null where this node has none. */
  private RdmaZones zones;

  private PacketHandler handler;
  private long now = System.nanoTime();
  private long controlledAt = now - CONTROL_NANOS;
  private long renewedAt = now - RETRY_NANOS;
  private long strangers;
  private boolean closed;

  private volatile boolean waiting;
  private volatile boolean woken;

  RdmaEndpoint(RdmaTransport transport, RdmaDevice device, Endpoint control, int worker)
      throws IOException {
    this.transport = transport;
    this.device = device;
    this.control = control;
    this.settings = transport.settings();
    this.listener = transport.listener();
    this.worker = worker;
    int nodes = settings.nodes().size();
    RdmaSettings rdma = transport.rdma();
    RdmaLink.Shape smallest =
        new RdmaLink.Shape(rdma.packetsPerPeer(), settings.packetBytesMax(), 0);
    // Room for some whole packets, or a window would open only when all has come.
    int datagrams = Math.max(rdma.datagramsPerPeer(), 4 * smallest.fragmentsMax());
    this.shape = new RdmaLink.Shape(rdma.packetsPerPeer(), settings.packetBytesMax(), datagrams);
    this.links = new RdmaLink[nodes];
    this.queue = open(device, rdma.packetsPerPeer());
    this.memory = queue.memory();
    this.helloDue = new boolean[nodes];
    this.helloAt = new long[nodes];
    this.reachable = new boolean[nodes];
    this.told = new boolean[nodes];
    int at = 0;
    for (int peer = 0; peer < nodes; peer++) {
      if (peer != settings.self()) {
        links[peer] = new RdmaLink(queue, shape, settings.self(), peer, at);
        at += shape.bytes();
      }
    }
    this.contents = new ByteBuffer[queue.slots()];
    int contentBytes = queue.messageBytesMax() - DatagramHeader.BYTES;
    for (int slot = 0; slot < contents.length; slot++) {
      contents[slot] =
          memory
              .slice(queue.slotAt(slot) + DatagramHeader.BYTES, contentBytes)
              .order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private MessageQueue open(RdmaDevice device, int packets) throws IOException {
    int peers = Math.max(1, links.length - 1);
    int sends = Math.max(packets, 4 * shape.fragmentsMax());
    int slots = shape.datagrams() + CREDIT_DATAGRAMS_PER_PEER;
    int bytes = Math.max(1, (links.length - 1) * shape.bytes());
    if (device.bound() == null) {
      MessageQueue.Size all =
          new MessageQueue.Size(1, peers * (CREDITS + sends), peers * slots, bytes);
      return new DatagramQueue(device, all);
    }
    // They end when the peer has them, not when they are gone: there is to be room for a window.
    int window = Math.max(sends, shape.datagrams());
    MessageQueue.Size each = new MessageQueue.Size(peers, CREDITS + window, slots, bytes);
    return new ConnectionQueue(device, settings.self(), each);
  }

  // --- greetings ---------------------------------------------------------------------------------

  /** The peer's process is there. */
  void onReachable(int peer) {
    reachable[peer] = true;
    beginAnew(links[peer], 0);
  }

  /** It is not, or not any more. */
  void onUnreachable(int peer, String reason) {
    reachable[peer] = false;
    helloDue[peer] = false;
    forget(links[peer]);
    tellDown(peer, reason);
  }

  private void forget(RdmaLink link) {
    link.forget();
    queue.leave(link.peer());
    forgetZones(link.peer());
  }

  private void forgetZones(int peer) {
    if (zones != null) {
      zones.onDown(peer);
    }
  }

  private void beginAnew(RdmaLink link, long delayNanos) {
    link.expect(draw());
    forget(link);
    greet(link.peer(), delayNanos);
  }

  private int draw() {
    int number = random.nextInt();
    return number == 0 ? 1 : number;
  }

  private void greet(int peer, long delayNanos) {
    helloDue[peer] = true;
    helloAt[peer] = now + delayNanos;
  }

  private void tellUp(int peer) {
    if (!told[peer]) {
      told[peer] = true;
      listener.onUp(peer, worker);
    }
  }

  private void tellDown(int peer, String reason) {
    if (told[peer]) {
      told[peer] = false;
      listener.onDown(peer, worker, reason);
    }
  }

  private void onHello(int peer, ByteBuffer packet, int length) {
    if (ZoneHello.isOne(packet, length)) {
      onZoneHello(peer, ZoneHello.read(packet));
      return;
    }
    RdmaLink link = links[peer];
    PeerHello hello = PeerHello.read(packet, length);
    String objection =
        hello.objection(queue.place(), settings.packetBytesMax(), shape.fragmentsMax());
    if (objection != null) {
      transport.onRefused(peer, objection);
      return;
    }
    boolean isNew = hello.connection() != link.remoteConnection();
    boolean knows = hello.heard() == link.connection();
    if (isNew) {
      forgetZones(peer);
      if (link.remoteConnection() != 0 && !knows) {
        // Another life of the peer, whose beginning was not noticed.
        link.expect(draw());
      }
      try {
        long handle = queue.meet(peer, hello, link.connection());
        link.onHello(hello, handle, queue.messageBytesMax(), now);
      } catch (IOException e) {
        transport.onRefused(
            peer,
            "its address "
                + hello.address()
                + " cannot be reached over "
                + device
                + ": "
                + e.getMessage());
        link.forget();
        return;
      }
    }
    link.setConfirmed(knows);
    if (isNew && hello.place().isConnected()) {
      // What there was is gone, and nothing says that there will be another.
      tellDown(peer, "its connection begins anew");
    }
    if (isNew || !knows) {
      greet(peer, 0);
    }
    if (knows) {
      queue.join(peer, now);
      if (link.isUp()) {
        tellUp(peer);
      }
      if (zones != null) {
        zones.onUp(peer, hello);
      }
    }
  }

  private void onZoneHello(int peer, ZoneHello hello) {
    if (zones == null) {
      return;
    }
    try {
      zones.onHello(peer, hello);
    } catch (IOException e) {
      transport.onRefused(peer, "there is no way into its zone: " + e.getMessage());
      beginAnew(links[peer], RETRY_NANOS);
    }
  }

  @Override
  public Zones openZones(List<ZoneMemory> memories, Zones.Listener told) {
    try {
      zones = new RdmaZones(device, queue, memories, told);
      return zones;
    } catch (IOException e) {
      throw new IllegalStateException("Zones cannot be had: " + e.getMessage(), e);
    }
  }

  private void sendZoneHellos() {
    for (int peer = 0; zones != null && peer < links.length; peer++) {
      ByteBuffer room = reachable[peer] && zones.isDue(peer) ? control.claim(peer) : null;
      if (room != null) {
        try {
          zones.say(peer).write(room);
        } catch (IOException e) {
          throw new IllegalStateException("A zone cannot be offered: " + e.getMessage(), e);
        }
        control.send(peer, PeerHello.BYTES);
      }
    }
  }

  private void sendHellos() {
    for (RdmaLink link : links) {
      if (link == null || !helloDue[link.peer()] || now - helloAt[link.peer()] < 0) {
        continue;
      }
      ByteBuffer room = reachable[link.peer()] ? control.claim(link.peer()) : null;
      if (room != null) {
        helloDue[link.peer()] = false;
        new PeerHello(
                queue.place(),
                queue.key(),
                device.gid(),
                device.info().lid(),
                device.info().mtuBytes(),
                shape.datagrams(),
                settings.packetBytesMax(),
                link.connection(),
                link.remoteConnection())
            .write(room);
        control.send(link.peer(), PeerHello.BYTES);
      }
    }
  }

  /** Looks at what comes over TCP, and after those who say nothing. */
  private void control() {
    controlledAt = now;
    control.poll(greetings, CONTROL_PACKETS);
    sendHellos();
    sendZoneHellos();
    queue.control(now);
    for (RdmaLink link : links) {
      if (link == null) {
        continue;
      }
      String fault = queue.fault() == null ? queue.fault(link.peer()) : null;
      if (fault != null) {
        tellDown(link.peer(), fault);
        beginAnew(link, RETRY_NANOS);
      } else if (link.isSilent(now)) {
        tellDown(
            link.peer(),
            "nothing comes back over RDMA, while its process answers over TCP; does a firewall"
                + " between the hosts let it through (RoCE is UDP port 4791)?");
      } else if (link.isUp()) {
        tellUp(link.peer());
      }
    }
    if (queue.fault() != null && now - renewedAt >= RETRY_NANOS) {
      renew();
    }
  }

  private void renew() {
    renewedAt = now;
    String reason = queue.fault();
    try {
      queue.renew();
    } catch (IOException e) {
      throw new IllegalStateException(
          "The queue pair of worker "
              + worker
              + " has failed ("
              + reason
              + ") and cannot be renewed: "
              + e.getMessage(),
          e);
    }
    for (RdmaLink link : links) {
      if (link != null) {
        tellDown(link.peer(), "the queue pair has failed: " + reason);
        beginAnew(link, 0);
      }
    }
  }

  // --- the worker's side -------------------------------------------------------------------------

  @Override
  public int packetBytesMax() {
    return settings.packetBytesMax();
  }

  @Override
  public ByteBuffer claim(int peer) {
    return queue.fault() == null ? links[peer].claim() : null;
  }

  @Override
  public boolean isCrowded(int peer) {
    return links[peer].isCrowded();
  }

  @Override
  public void send(int peer, int length) {
    links[peer].send(length, now);
  }

  @Override
  public int poll(PacketHandler packets, int packetsMax) {
    handler = packets;
    now = System.nanoTime();
    if (now - controlledAt >= CONTROL_NANOS) {
      control();
    }
    queue.flush();
    int done = zones == null ? 0 : zones.poll();
    return done + receive(packetsMax);
  }

  private int receive(int packetsMax) {
    int count = queue.poll(messages, packetsMax);
    queue.giveBackSome(count == 0);
    for (RdmaLink link : links) {
      if (link != null) {
        if (queue.isGivenBack(link.peer())) {
          link.onGivenBack();
        }
        boolean asks = link.isToBeAsked(now);
        if (asks || link.isToBeTold()) {
          link.sendCredit(asks);
        }
      }
    }
    queue.flush();
    return count;
  }

  private void onMessage(int slot, int bytes, int source) {
    int at = queue.slotAt(slot);
    int from = bytes < DatagramHeader.BYTES ? -1 : DatagramHeader.from(memory, at);
    if (from < 0 || from >= links.length || links[from] == null) {
      strangers++;
      return;
    }
    try {
      links[from].onMessage(at, bytes, source, contents[slot], handler, now);
    } catch (MalformedPacketException e) {
      tellDown(from, e.getMessage());
      beginAnew(links[from], RETRY_NANOS);
    }
  }

  MessageQueue queue() {
    return queue;
  }

  RdmaLink link(int peer) {
    return links[peer];
  }

  /** Whether a peer has said where its queue pair is. */
  boolean knows(int peer) {
    return links[peer].remoteConnection() != 0;
  }

  /** Datagrams that are of no life of a peer that this endpoint knows. */
  long fenced() {
    long sum = strangers + queue.strangers();
    for (RdmaLink link : links) {
      sum += link == null ? 0 : link.fenced();
    }
    return sum;
  }

  @Override
  public void await(long nanosMax) {
    waiting = true;
    queue.flush();
    // Whoever sets woken after this sees that somebody waits.
    if (!woken) {
      queue.requestEvent();
      if (zones != null) {
        zones.requestEvent();
      }
      // What came before the event was asked for gives none.
      boolean isIdle = zones == null || zones.poll() == 0;
      if (isIdle && (handler == null || receive(1) == 0)) {
        queue.await(Math.min(nanosMax, isAllUp() ? AWAIT_NANOS_MAX_UP : AWAIT_NANOS_MAX));
        if (zones != null) {
          zones.onWoken();
        }
      }
    }
    waiting = false;
    woken = false;
  }

  private boolean isAllUp() {
    for (RdmaLink link : links) {
      if (link != null && !link.isUp()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void wakeUp() {
    if (!woken) {
      woken = true;
      if (waiting) {
        queue.wakeUp();
      }
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    queue.flush();
    control.close();
    try {
      if (zones != null) {
        zones.close();
      }
      queue.close();
      transport.onClosed(worker);
    } catch (IOException e) {
      throw new IllegalStateException(
          "What worker "
              + worker
              + " had of "
              + device
              + " cannot be given back: "
              + e.getMessage(),
          e);
    }
  }
}
