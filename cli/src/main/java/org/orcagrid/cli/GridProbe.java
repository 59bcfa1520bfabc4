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
package org.orcagrid.cli;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.remote.RemoteNode;
import org.orcagrid.transport.tcp.remote.RemoteSession;

/** Asks nodes whether they serve, as their clients would see it. */
final class GridProbe implements AutoCloseable {
  /** A key that nobody has; reading it needs a majority and changes nothing. */
  private static final byte[] KEY =
      "org.orcagrid.probe".getBytes(java.nio.charset.StandardCharsets.UTF_8);

  private final EventLoopGroup loops = RemoteNode.newLoops("orca-grid-probe");

  /** Null if the node serves, or why not. */
  String objection(NodeSettings settings, Duration limit) throws InterruptedException {
    RemoteNode node = null;
    try {
      PortSecurity security = settings.links().security();
      RemoteNode.Credentials shown =
          RemoteNode.Credentials.of(security.tls(), security.secretFile());
      node =
          RemoteNode.connect(settings.home().address(), settings.home().grid(), shown, loops)
              .toCompletableFuture()
              .get(limit.toMillis(), TimeUnit.MILLISECONDS);
      Progress progress =
          node.progress().toCompletableFuture().get(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (progress.isUnderWay()) {
        return "catches up: " + progress;
      }
      RemoteSession session =
          node.openSession().toCompletableFuture().get(limit.toMillis(), TimeUnit.MILLISECONDS);
      Request request = session.next();
      request.kind(OperationKind.ACQUIRE);
      request.key().set(KEY);
      session.submit(request);
      boolean served = session.await(request, limit.toNanos()) && request.outcome() == Outcome.DONE;
      session.close();
      return served ? null : "no majority of the nodes answers";
    } catch (ExecutionException e) {
      return e.getCause().getMessage();
    } catch (TimeoutException e) {
      return "no answer";
    } catch (IOException | IllegalStateException e) {
      return e.getMessage();
    } finally {
      if (node != null) {
        node.close();
      }
    }
  }

  @Override
  public void close() {
    loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
