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
package org.orcagrid.bench.kite;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.concurrent.GridQueue;
import org.orcagrid.client.concurrent.GridSet;
import org.orcagrid.client.concurrent.GridStack;

/**
 * A client that writes the object which it has, puts it into some structure, takes one out, and
 * looks whether all of its fields are as they were when it was put in there. As it puts in before
 * it takes out, no structure is ever empty then.
 */
final class StructureClient extends WaitingClient {
  /** One operation puts in, one takes out. */
  private static final int OPERATIONS = 2;

  private final GridSession session;
  private final View<Field, Stamp> fields;
  private final int number;
  private final int shared;
  private final SplittableRandom random;
  private final Map<String, Handle> handles = new HashMap<>();
  private final AtomicLong checks = new AtomicLong();
  private final AtomicLong violations = new AtomicLong();
  private long object;
  private long sequence;

  /** Set before the threads of a turn begin. */
  private Structure structure;

  private boolean ideal;

  /** Puts an object in and takes one out; null if there was none. */
  private interface Handle {
    Long exchange(long object);
  }

  /** A key of an object. */
  private record Field(long object, int field) {
    static final Codec<Field> CODEC =
        Codec.of(
            (key, out) -> out.putLong(key.object()).putInt(key.field()),
            in -> new Field(in.getLong(), in.getInt()));
  }

  /** What is in each field of an object, 32 bytes: into what, and by whom, it was put in last. */
  private record Stamp(long object, long into, long client, long sequence) {
    static final Codec<Stamp> CODEC =
        Codec.of(
            (stamp, out) ->
                out.putLong(stamp.object())
                    .putLong(stamp.into())
                    .putLong(stamp.client())
                    .putLong(stamp.sequence()),
            in -> new Stamp(in.getLong(), in.getLong(), in.getLong(), in.getLong()));
  }

  /**
   * A client.
   *
   * @param number its own, from 0
   * @param shared structures of a kind that all clients share
   */
  StructureClient(GridSession session, int number, int shared) {
    this.session = session;
    this.fields = session.view(Field.CODEC, Stamp.CODEC);
    this.number = number;
    this.shared = shared;
    this.random = new SplittableRandom(number);
    this.object = number + 1L;
  }

  /** What it does next: with structures that all share, or with its own. */
  void choose(Structure next, boolean alone) {
    structure = next;
    ideal = alone;
  }

  long checks() {
    return checks.get();
  }

  long violations() {
    return violations.get();
  }

  @Override
  int once() {
    int index = ideal ? number : random.nextInt(shared);
    long into = ((long) structure.kind().code() << 1 | (ideal ? 1 : 0)) << 32 | index;
    Stamp stamp = new Stamp(object, into, number, ++sequence);
    for (int field = 0; field < structure.fields(); field++) {
      fields.set(new Field(object, field), stamp);
    }
    Long taken = handle(index).exchange(object);
    checks.lazySet(checks.getPlain() + 1);
    if (taken == null) {
      violations.lazySet(violations.getPlain() + 1);
      return OPERATIONS;
    }
    object = taken;
    if (!isWhole(into)) {
      violations.lazySet(violations.getPlain() + 1);
    }
    return OPERATIONS;
  }

  /** Whether all fields are of the same time, and of where the object was taken from. */
  private boolean isWhole(long from) {
    Stamp first = fields.get(new Field(object, 0));
    boolean whole = first != null && first.object() == object && first.into() == from;
    for (int field = 1; field < structure.fields(); field++) {
      // All of them are read, also when one is wrong.
      Stamp other = fields.get(new Field(object, field));
      whole &= first != null && first.equals(other);
    }
    return whole;
  }

  private Handle handle(int index) {
    String name = (ideal ? "own " : "") + index;
    return handles.computeIfAbsent(structure.kind() + " " + name, key -> open(name));
  }

  private Handle open(String name) {
    switch (structure.kind()) {
      case TS -> {
        GridStack<Long> stack = new GridStack<>(session, name, Codec.LONG);
        return put -> {
          stack.push(put);
          return stack.pop();
        };
      }
      case MSQ -> {
        GridQueue<Long> queue = new GridQueue<>(session, name, Codec.LONG);
        return put -> {
          queue.offer(put);
          return queue.poll();
        };
      }
      case HML -> {
        GridSet<Long> set = new GridSet<>(session, name, Codec.LONG);
        // Objects are those of one client at a time: nobody else adds or removes this one.
        return put -> set.add(put) && set.remove(put) ? put : null;
      }
    }
    throw new IllegalStateException("There is no " + structure.kind());
  }
}
