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
package org.apache.zookeeper.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.jute.Record;
import org.apache.zookeeper.ClientCnxn;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.ReplyHeader;
import org.orcagrid.server.gate.HeldReplies;
import org.orcagrid.server.sizes.LongFrame;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of the NIO factory with a gate before its replies.
 *
 * <p>A reply is written by the thread that has it, if nothing else is to be written and the client
 * waits for no other one. Stock has the selector thread woken up, and then a third thread. Whatever
 * cannot be written at once is left to those.
 */
final class OrcaNIOServerCnxn extends NIOServerCnxn
    implements OrcaConnection, HeldReplies.Connection {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaNIOServerCnxn.class);
  private static final int SKIPPED_AT_ONCE_BYTES = 1 << 16;

  private final ConnectionGate gate;
  private final SelectionKey key;
  private final NIOServerCnxnFactory.SelectorThread selector;
  private final SocketChannel socket;

  /** Where stock reads the length of the next frame to. */
  private final ByteBuffer length = incomingBuffer;

  /** The frame that comes and is too long; null for none. Of the selector's thread. */
  private LongFrame tooLong;

  /** Held while bytes are written to the socket. */
  private final ReentrantLock writing = new ReentrantLock();

  /** Who adds a reply that it will write itself, so that the selector is not woken up for it. */
  private volatile Thread adding;

  OrcaNIOServerCnxn(
      ZooKeeperServer server,
      SocketChannel socket,
      SelectionKey key,
      NIOServerCnxnFactory factory,
      NIOServerCnxnFactory.SelectorThread selector)
      throws IOException {
    super(server, socket, key, factory, selector);
    this.gate = new ConnectionGate(this, server);
    this.key = key;
    this.selector = selector;
    this.socket = socket;
  }

  @Override
  public ConnectionGate gate() {
    return gate;
  }

  @Override
  public int sendResponse(
      ReplyHeader header, Record body, String tag, String cacheKey, Stat stat, int opCode) {
    return gate.send(header, body, tag, cacheKey, stat, opCode);
  }

  @Override
  public void sendCloseSession() {
    gate.close();
  }

  @Override
  public int deliver(HeldReplies.Reply reply) {
    if (reply instanceof HeldReplies.Response response) {
      return deliver(response);
    }
    super.sendCloseSession();
    return 0;
  }

  private int deliver(HeldReplies.Response response) {
    ReplyHeader header = response.header();
    ByteBuffer[] bytes;
    try {
      bytes =
          serialize(
              header,
              response.body(),
              response.tag(),
              response.cacheKey(),
              response.stat(),
              response.opCode());
    } catch (IOException | RuntimeException e) {
      LOG.warn("Closing {}: a reply cannot be written as bytes", getRemoteSocketAddress(), e);
      close(DisconnectReason.IO_EXCEPTION);
      return 0;
    }
    int size = bytes[0].getInt(0);
    // An event may be one of very many: it is no matter for the thread that applies transactions.
    if (header.getXid() == ClientCnxn.NOTIFICATION_XID || getOutstandingRequests() > 1) {
      sendBuffer(bytes);
    } else {
      sendNow(bytes);
    }
    decrOutstandingAndCheckThrottle(header);
    gate.onDelivered(response, size, this);
    return size;
  }

  private void sendNow(ByteBuffer[] bytes) {
    if (!writing.tryLock()) {
      sendBuffer(bytes);
      return;
    }
    try {
      adding = Thread.currentThread();
      try {
        sendBuffer(bytes);
      } finally {
        adding = null;
      }
      if (super.isSelectable()) {
        super.handleWrite(key);
      }
    } catch (IOException | CancelledKeyException e) {
      // Whoever selects the connection finds the same, and closes it.
      LOG.debug("{} cannot be written to", this, e);
    } finally {
      writing.unlock();
    }
    if ((getInterestOps() & SelectionKey.OP_WRITE) != 0) {
      selector.addInterestOpsUpdateRequest(key);
    }
  }

  /** Not for the thread that will write what it adds. */
  @Override
  public boolean isSelectable() {
    return adding != Thread.currentThread() && super.isSelectable();
  }

  /** Also writes what was answered meanwhile: nobody else does before this returns. */
  @Override
  void doIO(SelectionKey selected) throws InterruptedException {
    try {
      if (stockReads(selected)) {
        super.doIO(selected);
      }
      if (key.isValid() && isSocketOpen()) {
        handleWrite(selected);
      }
    } catch (CloseRequestException e) {
      close(e.getReason());
    } catch (IOException | CancelledKeyException e) {
      LOG.debug("{} cannot be written to", this, e);
    } catch (Error e) {
      // It would end the selector's thread, and with that all connections.
      LOG.error("Closing {}: a request could not be executed", this, e);
      close(DisconnectReason.IO_EXCEPTION);
    }
  }

  private boolean stockReads(SelectionKey selected) {
    try {
      return !selected.isReadable() || seesNext();
    } catch (CancelledKeyException e) {
      LOG.debug("Left to stock, which closes {}", this, e);
      return true;
    } catch (IOException e) {
      LOG.warn("Closing {}: it cannot be read from", this, e);
      close(DisconnectReason.IO_EXCEPTION);
      return false;
    }
  }

  /**
   * Reads the length of the next frame before stock does, and all of a frame that is too long. What
   * stock finds read it takes as if it had read it.
   *
   * @return whether the rest is for stock
   */
  private boolean seesNext() throws IOException {
    if (tooLong != null) {
      return skip();
    }
    if (!isBetweenFrames() || getSessionId() == 0 || socket.read(length) < 0) {
      return true;
    }
    if (length.hasRemaining()) {
      return false;
    }
    if (!LongFrame.isTooLong(length.getInt(0))) {
      return true;
    }
    tooLong = new LongFrame(length.getInt(0));
    length.clear();
    return false;
  }

  /** Stock tells it by the buffer, and so does this. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isBetweenFrames() {
    return incomingBuffer == length;
  }

  /** Reads on in a frame that is too long; the selector comes back while there is more. */
  private boolean skip() throws IOException {
    boolean isNew = !tooLong.isKnown();
    ByteBuffer bytes = ByteBuffer.allocate(Math.min(tooLong.left(), SKIPPED_AT_ONCE_BYTES));
    if (socket.read(bytes) < 0) {
      return true;
    }
    tooLong.take(bytes.flip());
    if (isNew && tooLong.isKnown() && !gate.onLong(tooLong, this)) {
      close(DisconnectReason.IO_EXCEPTION);
      return false;
    }
    if (tooLong.left() > 0) {
      return false;
    }
    incomingBuffer = tooLong.substitute();
    tooLong = null;
    return true;
  }

  @Override
  void handleWrite(SelectionKey selected) throws IOException {
    writing.lock();
    try {
      super.handleWrite(selected);
    } finally {
      writing.unlock();
    }
  }

  @Override
  public void pauseReading() {
    disableRecv(false);
  }

  @Override
  public void resumeReading() {
    enableRecv();
  }

  @Override
  public void close(DisconnectReason reason) {
    gate.closed();
    super.close(reason);
  }
}
