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
package org.orcagrid.client.concurrent;

import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;

/**
 * A stack that the sessions of a grid share: Treiber's, with counted pointers (Kite, section 7.3).
 * Push and pop are linearizable and lock-free.
 *
 * <p>A node is written relaxed and shown by the compare-and-set of the top, which releases; whoever
 * reads the top with an acquire therefore finds the node as it was pushed.
 *
 * <p>One object belongs to one session and is used by one thread at a time; any number of sessions
 * may have one of the same name. All methods throw what {@link View} throws. When a pop's outcome
 * is unknown, the item may be gone or not; when a push's is, it may be there or not.
 *
 * @param <E> the type of items
 */
public final class GridStack<E> {
  private final View<Part, Pointer> pointers;
  private final View<Part, Node<E>> nodes;
  private final NodeSupply supply;
  private final String name;
  private final Part top;

  private record Node<E>(E item, long next) {}

  /** A session's handle on the stack of that name. */
  public GridStack(GridSession session, String name, Codec<E> items) {
    this.name = "stack " + name;
    this.pointers = session.view(Part.CODEC, Pointer.CODEC);
    this.nodes = session.view(Part.CODEC, nodeCodec(items));
    this.supply = new NodeSupply(session, this.name);
    this.top = new Part(this.name, Part.HEAD, 0);
  }

  private static <E> Codec<Node<E>> nodeCodec(Codec<E> items) {
    return Codec.of(
        (node, out) -> items.write(node.item(), out.putLong(node.next())),
        in -> {
          long next = in.getLong();
          return new Node<>(items.read(in), next);
        });
  }

  private Part node(long id) {
    return new Part(name, Part.ITEM, id);
  }

  /** Puts an item on top. */
  public void push(E item) {
    if (item == null) {
      throw new NullPointerException("A stack holds no null");
    }
    long id = supply.take();
    Pointer seen = pointers.get(top);
    while (true) {
      Pointer present = Pointer.of(seen);
      nodes.set(node(id), new Node<>(item, present.node()));
      if (pointers.weakCompareAndSet(top, seen, present.to(id))) {
        return;
      }
      seen = pointers.getAcquire(top);
    }
  }

  /** Takes the item on top; null if the stack is empty. */
  public E pop() {
    while (true) {
      Pointer seen = pointers.getAcquire(top);
      if (Pointer.of(seen).isNone()) {
        return null;
      }
      // It may have been taken and used again by now, even half: then the top has changed as well.
      Node<E> node = nodes.get(node(seen.node()));
      if (node != null && pointers.weakCompareAndSet(top, seen, seen.to(node.next()))) {
        supply.give(seen.node());
        return node.item();
      }
    }
  }

  /** Whether there was nothing on it, a moment ago. */
  public boolean isEmpty() {
    return Pointer.of(pointers.getAcquire(top)).isNone();
  }
}
