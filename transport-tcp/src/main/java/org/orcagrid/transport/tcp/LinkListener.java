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
package org.orcagrid.transport.tcp;

/**
 * Is told what happens to the links of a node, as far as it wants to know; by its workers' threads,
 * so that it must not wait.
 */
public interface LinkListener {
  /** A listener that does not listen. */
  LinkListener NONE = new LinkListener() {};

  /**
   * Which transport the nodes of this process have, and why; once, before there are any links, and
   * only if another one than TCP was wanted.
   */
  default void onTransport(String which) {}

  /** A worker has a connection to its counterpart at a peer. */
  default void onUp(int peer, int worker) {}

  /** It has none any more. */
  default void onDown(int peer, int worker, String reason) {}

  /**
   * A packet was damaged, or is none that a node can have sent; its connection ends. Logged unless
   * the listener does something else: a network or a memory that damages packets has to be mended.
   */
  default void onBadPacket(int peer, int worker, String reason) {
    System.getLogger(LinkListener.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "Refused a packet: node={0} worker={1} reason={2}",
            peer,
            worker,
            reason);
  }

  /**
   * Somebody was refused, or has refused this node: usually a setting that differs. A {@link
   * NodePort} tells of a reason about once a second at most, and how often it was given; so each of
   * these may be logged. The reason has no control characters and a bounded length.
   */
  default void onRefused(String address, String reason) {}
}
