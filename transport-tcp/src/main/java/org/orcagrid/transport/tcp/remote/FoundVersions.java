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
package org.orcagrid.transport.tcp.remote;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.orcagrid.ddp.replica.state.Write;

/**
 * What a read of all keys has found for a client, on the heap until it is sent: as much as all
 * clients of a node may have there together. Filled by a worker's thread, then of the connection's.
 */
final class FoundVersions implements Consumer<Write> {
  /** For all clients of a node together. */
  static final long BYTES_MAX = 256L << 20;

  private static final int BYTES_BESIDE = 64;

  private final int request;
  private final AtomicLong total;
  private final List<Write> versions = new ArrayList<>();

  /** How many of them were written. */
  private int written;

  private long bytes;
  private boolean tooMuch;

  /**
   * Nothing found yet.
   *
   * @param total what all of them have on the heap
   */
  FoundVersions(int request, AtomicLong total) {
    this.request = request;
    this.total = total;
  }

  @Override
  public void accept(Write version) {
    if (tooMuch || version.value() == null) {
      return;
    }
    int more = BYTES_BESIDE + version.key().length() + version.value().length;
    if (total.addAndGet(more) > BYTES_MAX) {
      total.addAndGet(-more);
      tooMuch = true;
      free();
    } else {
      bytes += more;
      versions.add(version);
    }
  }

  /** Why it is not all there; null if it is. */
  RejectedExecutionException failure() {
    return tooMuch
        ? new RejectedExecutionException(
            "Reads of whole maps hold more than "
                + (BYTES_MAX >> 20)
                + " MB at this node; read fewer at a time, or in a member of the grid")
        : null;
  }

  /** Writes while there is less than that in the buffer; whether all is written. */
  boolean write(ByteBuf out, int bytesMax) {
    while (written < versions.size() && out.readableBytes() < bytesMax) {
      MapWire.writeFound(out, request, versions.get(written++));
    }
    return written == versions.size();
  }

  /** It was sent, or nobody wants it. */
  void free() {
    versions.clear();
    written = 0;
    total.addAndGet(-bytes);
    bytes = 0;
  }
}
