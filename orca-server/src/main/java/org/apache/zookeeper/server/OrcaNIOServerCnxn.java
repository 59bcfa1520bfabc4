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
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.apache.jute.Record;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.ReplyHeader;
import org.orcagrid.server.gate.HeldReplies;

/** A connection of the NIO factory with a gate before its replies. */
final class OrcaNIOServerCnxn extends NIOServerCnxn
    implements OrcaConnection, HeldReplies.Connection {

  private final ConnectionGate gate;

  OrcaNIOServerCnxn(
      ZooKeeperServer server,
      SocketChannel socket,
      SelectionKey key,
      NIOServerCnxnFactory factory,
      NIOServerCnxnFactory.SelectorThread selector)
      throws IOException {
    super(server, socket, key, factory, selector);
    this.gate = new ConnectionGate(this, server);
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
      return super.sendResponse(
          response.header(),
          response.body(),
          response.tag(),
          response.cacheKey(),
          response.stat(),
          response.opCode());
    }
    super.sendCloseSession();
    return 0;
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
