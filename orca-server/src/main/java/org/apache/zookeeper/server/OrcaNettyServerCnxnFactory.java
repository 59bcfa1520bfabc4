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

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import org.apache.zookeeper.data.Id;

/**
 * The Netty connection factory, with gated connections.
 *
 * <p>The stock channel handler makes its connection object itself. Ours lets it do so, and then
 * puts a gated connection in its place before the first byte is read: at once for a plain channel,
 * after the handshake for a TLS channel, of which the stock object has then verified the
 * certificate.
 */
public final class OrcaNettyServerCnxnFactory extends NettyServerCnxnFactory {

  /** The same key as the stock handler's: keys are equal by name. */
  private static final AttributeKey<NettyServerCnxn> CONNECTION =
      AttributeKey.valueOf("NettyServerCnxn");

  /** Made by name, as the property {@code zookeeper.serverCnxnFactory} asks for. */
  public OrcaNettyServerCnxnFactory() {
    channelHandler = new GatedChannelHandler();
  }

  @Sharable
  private final class GatedChannelHandler extends CnxnChannelHandler {

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
      super.channelActive(context);
      Channel channel = context.channel();
      NettyServerCnxn stock = channel.attr(CONNECTION).get();
      if (stock == null) {
        return; // refused: too many connections
      }
      OrcaNettyServerCnxn gated =
          new OrcaNettyServerCnxn(channel, zkServer, OrcaNettyServerCnxnFactory.this);
      SslHandler tls = context.pipeline().get(SslHandler.class);
      if (tls == null) {
        // With port unification the stock object is not registered yet; its registration then
        // takes the object that it finds in the channel's attribute.
        channel.attr(CONNECTION).set(gated);
        if (cnxns.remove(stock)) {
          cnxns.add(gated);
        }
        return;
      }
      // Runs after the stock listener, which was added first and registers the stock object.
      tls.handshakeFuture()
          .addListener(
              handshake -> {
                if (!handshake.isSuccess() || !cnxns.remove(stock)) {
                  return; // the stock object has closed the channel
                }
                takeIdentity(stock, gated);
                channel.attr(CONNECTION).set(gated);
                cnxns.add(gated);
              });
    }

    private void takeIdentity(NettyServerCnxn from, NettyServerCnxn to) {
      for (Id id : from.getAuthInfo()) {
        to.addAuthInfo(id);
      }
      to.setClientCertificateChain(from.getClientCertificateChain());
    }
  }
}
