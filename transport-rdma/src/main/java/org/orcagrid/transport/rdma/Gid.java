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
package org.orcagrid.transport.rdma;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** An address of a port: 16 bytes. */
final class Gid {
  private static final int ROCE_V2 = 2;
  private static final int IPV4_MARK_AT = 10;

  /** No address. */
  static final Gid NONE = new Gid(new byte[Verbs.GID_BYTES]);

  private final byte[] bytes;

  private Gid(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Reads one from where the buffer is. */
  static Gid read(ByteBuffer in) {
    byte[] bytes = new byte[Verbs.GID_BYTES];
    in.get(bytes);
    return new Gid(bytes);
  }

  void write(ByteBuffer out) {
    out.put(bytes);
  }

  /** As native calls want it. */
  ByteBuffer direct() {
    return ByteBuffer.allocateDirect(Verbs.GID_BYTES).put(bytes).clear();
  }

  private boolean isZero() {
    return Arrays.equals(bytes, new byte[Verbs.GID_BYTES]);
  }

  private boolean isIpv4() {
    for (int i = 0; i < IPV4_MARK_AT; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return bytes[IPV4_MARK_AT] == -1 && bytes[IPV4_MARK_AT + 1] == -1;
  }

  /** The IPv4 address that it stands for; null if it stands for none. */
  Inet4Address ipv4() throws IOException {
    if (!isIpv4()) {
      return null;
    }
    byte[] address = Arrays.copyOfRange(bytes, IPV4_MARK_AT + 2, bytes.length);
    return (Inet4Address) InetAddress.getByAddress(address);
  }

  /** The address at an index; null if there is none. */
  static Gid of(long device, int port, int index) throws IOException {
    ByteBuffer into = ByteBuffer.allocateDirect(Verbs.GID_BYTES);
    return Verbs.queryGid(device, port, index, into) < 0 ? null : read(into);
  }

  /** The index of the address that peers reach best; -1 if there is none. */
  static int best(long device, int port, PortInfo info) throws IOException {
    ByteBuffer into = ByteBuffer.allocateDirect(Verbs.GID_BYTES);
    int best = -1;
    int bestRank = 0;
    for (int index = 0; index < info.gids(); index++) {
      int kind = Verbs.queryGid(device, port, index, into);
      if (kind < 0) {
        continue;
      }
      Gid gid = read(into.clear());
      into.clear();
      int rank = gid.isZero() ? 0 : kind == ROCE_V2 && gid.isIpv4() ? 3 : kind == ROCE_V2 ? 2 : 1;
      if (rank > bestRank) {
        best = index;
        bestRank = rank;
      }
    }
    return best;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Gid gid && Arrays.equals(bytes, gid.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    String hex = HexFormat.of().formatHex(bytes);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < hex.length(); i += 4) {
      text.append(i == 0 ? "" : ":").append(hex, i, i + 4);
    }
    return text.toString();
  }
}
