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
package org.orcagrid.bench.zab;

import org.orcagrid.ddp.store.Bytes;

/**
 * A session of a node: one operation at a time, in session order. Whoever runs the worker fills in
 * key and value, begins a read or a write, and reads the result when it has completed. Belongs to
 * the worker's thread, and allocates nothing once its buffers have grown.
 */
public final class ZabSession {
  private static final int BYTES = 64;

  Bytes key;
  Bytes value;
  Bytes result;
  long zxid;
  boolean done;
  boolean idle = true;
  private final int slot;

  ZabSession(int slot) {
    Bytes[] own = Bytes.several(3, BYTES);
    this.key = own[0];
    this.value = own[1];
    this.result = own[2];
    this.slot = slot;
  }

  /** Its number in the node. */
  public int slot() {
    return slot;
  }

  /** Whether no operation is under way. */
  public boolean isIdle() {
    return idle;
  }

  /** Works on these buffers of whoever asks, from the next operation on. */
  public void use(Bytes keyOfNext, Bytes valueOfNext, Bytes resultOfNext) {
    this.key = keyOfNext;
    this.value = valueOfNext;
    this.result = resultOfNext;
  }

  /** The key of the next operation, to be filled in. */
  public Bytes key() {
    return key;
  }

  /** The value to write, to be filled in. */
  public Bytes value() {
    return value;
  }

  /** What was read. */
  public Bytes result() {
    return result;
  }

  /** The place in the order of all writes of what was read or written; 0 for no value. */
  public long zxid() {
    return zxid;
  }

  /** Whether the operation was done; if not, the stores are full and it has changed nothing. */
  public boolean isDone() {
    return done;
  }
}
