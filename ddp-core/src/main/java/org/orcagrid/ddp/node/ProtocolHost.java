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
package org.orcagrid.ddp.node;

import java.io.IOException;
import org.orcagrid.ddp.kite.ProtocolNode;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.ddp.worker.Workers;

/**
 * A node of one protocol and nothing else, in one view for ever: what a protocol is compared or
 * tested with. A grid's node is {@link Node}.
 */
public final class ProtocolHost implements SessionHost {
  private final ProtocolNode protocol;
  private final Workers workers;
  private final Keys keys;

  private ProtocolHost(ProtocolNode protocol, Workers workers) {
    this.protocol = protocol;
    this.workers = workers;
    this.keys = new Keys(protocol, Keys.Listener.NONE);
    workers.host(keys);
  }

  /**
   * Starts a node.
   *
   * @throws IOException if the transport cannot be opened
   */
  public static ProtocolHost start(ProtocolNode protocol, Workers.Environment environment)
      throws IOException {
    Workers workers =
        Workers.open(protocol.sizes().nodes(), protocol.sizes().workers(), environment);
    try {
      ProtocolHost node = on(workers, protocol);
      workers.start();
      return node;
    } catch (RuntimeException | Error e) {
      workers.close();
      throw e;
    }
  }

  static ProtocolHost on(Workers workers, ProtocolNode protocol) {
    return new ProtocolHost(protocol, workers);
  }

  /** What has ended the node, null if nothing has. */
  public Throwable failure() {
    return workers.failure();
  }

  @Override
  public int valueBytesMax() {
    return protocol.store().valueBytesMax();
  }

  @Override
  public int epoch() {
    return keys.epoch();
  }

  @Override
  public long slowReleases() {
    return keys.slowReleases();
  }

  @Override
  public Progress progress() {
    return keys.progress();
  }

  @Override
  public long droppedMessages() {
    return keys.droppedMessages();
  }

  /**
   * Opens a session that has fewer operations under way at most. Its requests are used one after
   * the other, so that fewer of them stay in the processor's caches: for programs with many
   * sessions that each do little at a time.
   *
   * @param depth a power of two, at most {@link RequestQueue#DEPTH}; a relaxed write counts until
   *     the worker has announced it
   * @throws IllegalStateException if all are in use
   */
  @Override
  public LocalSession openSession(int depth) {
    return keys.openSession(depth);
  }

  /** Ends the workers, and all else that they host. What was under way has an unknown outcome. */
  @Override
  public void close() {
    workers.close();
  }
}
