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
package org.orcagrid.geo.replica;

import org.orcagrid.geo.wire.Encoder;

/**
 * The state of a replica as of an entry of its log, in pieces, while the replica goes on.
 *
 * <p>A piece is a part of one stream of bytes, which {@link Replica#restore} takes.
 */
public final class Snapshot {
  private final long index;
  private final long lastWrite;
  private final VersionStore.Listing versions;
  private byte[] head;
  private boolean done;

  Snapshot(long index, long lastWrite, byte[] head, VersionStore.Listing versions) {
    this.index = index;
    this.lastWrite = lastWrite;
    this.head = head;
    this.versions = versions;
  }

  /** The last entry that is in it. */
  public long index() {
    return index;
  }

  /** The position of the group's last write that is in it. */
  long lastWrite() {
    return lastWrite;
  }

  /** Whether another one has begun, and this one cannot be finished. */
  public boolean isOver() {
    return !done && versions.isOver();
  }

  /** Whether all pieces were had. */
  public boolean isDone() {
    return done;
  }

  /** The next piece, of about so many bytes; once {@link #isDone}, there is none. */
  public byte[] next(int bytesMax) {
    Encoder out = new Encoder();
    if (head != null) {
      out.putRaw(head);
      head = null;
    }
    while (out.length() < bytesMax) {
      StoredVersion next = versions.next();
      out.putBoolean(next != null);
      if (next == null) {
        done = true;
        break;
      }
      CommandCodec.putVersion(out, next);
    }
    return out.toBytes();
  }

  /** It is not wanted any more. */
  public void end() {
    versions.end();
  }
}
