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
package org.orcagrid.server.sizes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import org.apache.jute.BinaryInputArchive;
import org.apache.zookeeper.txn.CloseSessionTxn;

/**
 * How long a transaction may be. A server reads one from its log, or from its leader, as one buffer
 * of {@code jute.maxbuffer} and {@code zookeeper.jute.maxbuffer.extrasize} bytes together. It could
 * not start with a longer one in its log, and no learner could follow.
 *
 * @param bytesMax with its header and its digest
 */
public record TransactionLimit(long bytesMax) {

  /** ZooKeeper's least extra size. */
  private static final int EXTRA_BYTES_MIN = 1024;

  /** The header and the digest, and what a log or a learner's request adds. */
  private static final int FRAME_BYTES_MAX = 64;

  /** The limit of this JVM's servers. */
  public static TransactionLimit ofServers() {
    int max = BinaryInputArchive.maxBuffer;
    int extra = Integer.getInteger("zookeeper.jute.maxbuffer.extrasize", max);
    return new TransactionLimit(
        Math.min(Integer.MAX_VALUE, (long) max + Math.max(EXTRA_BYTES_MIN, extra)));
  }

  /** Whether a transaction with so many bytes of content could be read. */
  public boolean admits(long contentBytes) {
    return contentBytes + FRAME_BYTES_MAX <= bytesMax;
  }

  /**
   * The end of a session, with so many of its nodes as have room. Every server deletes the others
   * as well: it knows whose they are.
   */
  public CloseSessionTxn shortened(CloseSessionTxn end) {
    long bytes = Integer.BYTES;
    for (String path : end.getPaths2Delete()) {
      bytes += bytes(path);
    }
    if (admits(bytes)) {
      return end;
    }
    List<String> named = new ArrayList<>();
    bytes = Integer.BYTES;
    for (String path : end.getPaths2Delete()) {
      bytes += bytes(path);
      if (!admits(bytes)) {
        break;
      }
      named.add(path);
    }
    return new CloseSessionTxn(named);
  }

  private static long bytes(String text) {
    return (long) Integer.BYTES + text.getBytes(UTF_8).length;
  }
}
