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
package org.orcagrid.node;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.remote.RemoteNode;

/**
 * Asks nodes of a grid what they are at, as their client, over a connection that lasts as long as
 * the question. Safe for use by many threads.
 */
public final class GridSurvey implements AutoCloseable {
  private final EventLoopGroup loops = RemoteNode.newLoops("orca-grid-survey");
  private final String grid;
  private final RemoteNode.Credentials shown;

  /**
   * What came of asking a node.
   *
   * @param address where it was asked
   * @param state what it says, null if it has not answered
   * @param objection why not, null if it has
   */
  public record Answer(HostPort address, NodeState state, String objection) {
    /** A node has answered. */
    public static Answer of(HostPort address, NodeState state) {
      return new Answer(address, state, null);
    }

    static Answer none(HostPort address, String objection) {
      return new Answer(address, null, objection);
    }
  }

  /**
   * Of the grid of this name.
   *
   * @param security of its nodes, which is shown to them
   * @throws IOException if its certificates or its secret cannot be read
   */
  public GridSurvey(String grid, PortSecurity security) throws IOException {
    this.grid = grid;
    this.shown = RemoteNode.Credentials.of(security.tls(), security.secretFile());
  }

  /** Asks nodes, all at once, each for so long at most; the answers in the order of the nodes. */
  // That a connection is not had is an answer already.
  @SuppressWarnings("FutureReturnValueIgnored")
  public List<Answer> ask(Collection<HostPort> nodes, Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    List<Question> asked = nodes.stream().map(this::ask).toList();
    List<Answer> answers = new ArrayList<>();
    for (Question each : asked) {
      answers.add(each.await(end - System.nanoTime()));
      // Also one that connects later.
      each.connecting().thenAccept(RemoteNode::close);
    }
    return answers;
  }

  private Question ask(HostPort node) {
    CompletableFuture<RemoteNode> connecting =
        RemoteNode.connect(node, grid, shown, loops).toCompletableFuture();
    return new Question(node, connecting, connecting.thenCompose(RemoteNode::state));
  }

  /** A node that was asked. */
  private record Question(
      HostPort address, CompletableFuture<RemoteNode> connecting, CompletableFuture<String> text) {
    Answer await(long nanos) throws InterruptedException {
      try {
        return Answer.of(
            address, NodeStateText.parse(text.get(Math.max(0, nanos), TimeUnit.NANOSECONDS)));
      } catch (ExecutionException e) {
        return Answer.none(address, String.valueOf(e.getCause().getMessage()));
      } catch (TimeoutException e) {
        return Answer.none(address, connecting.isDone() ? "no answer" : "no connection");
      } catch (IllegalArgumentException e) {
        return Answer.none(address, "it cannot be understood: " + e.getMessage());
      }
    }
  }

  /** Gives up what is asked. */
  @Override
  public void close() {
    loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
