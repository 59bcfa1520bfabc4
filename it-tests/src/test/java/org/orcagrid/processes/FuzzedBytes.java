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
package org.orcagrid.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.proto.AddWatchRequest;
import org.apache.zookeeper.proto.AuthPacket;
import org.apache.zookeeper.proto.CheckVersionRequest;
import org.apache.zookeeper.proto.CheckWatchesRequest;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.CreateTTLRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.MultiHeader;
import org.apache.zookeeper.proto.ReconfigRequest;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.proto.SetACLRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.proto.SetWatches;
import org.apache.zookeeper.proto.SyncRequest;
import org.apache.zookeeper.txn.CreateSessionTxn;

/**
 * What one connection sends to a client port, from a seed: a handshake and requests, sound ones and
 * some that are cut short, changed, or made of odd values. The same seed makes the same bytes.
 */
final class FuzzedBytes {
  /** All that a connection changes is below these, so that others know what is theirs. */
  static final String ROOT = "/fuzz";

  private static final int FRAMES_MAX = 40;
  private static final int DATA_BYTES_MAX = 2_000;
  private static final int SESSION_TIMEOUT_MS = 2_000;
  private static final int[] ODD_NUMBERS = {
    -1, -2, 0, 1, 2, 5, 7, 31, 255, 4096, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE
  };
  private static final String[] WORDS = {
    "ruok", "mntr", "stat", "srvr", "dump", "cons", "wchs", "wchp", "wchc", "isro", "envi", "GET "
  };
  private static final String[] NAMES = {
    "a", "b", "c", "zookeeper_limits", "zookeeper_stats", "\u00e4", "x y", ".", "", "\u0001"
  };
  private static final String[] ROOTS = {
    ROOT,
    ROOT,
    ROOT,
    ROOT + "/a",
    ROOT + "/b",
    ROOT + "/a/b",
    "/zookeeper/quota",
    "/zookeeper/quota" + ROOT,
    "/zookeeper",
    "/zookeeper/config",
    ""
  };
  private static final int[] TYPES = {
    OpCode.create,
    OpCode.create,
    OpCode.create2,
    OpCode.createContainer,
    OpCode.createTTL,
    OpCode.delete,
    OpCode.delete,
    OpCode.deleteContainer,
    OpCode.setData,
    OpCode.setData,
    OpCode.setACL,
    OpCode.check,
    OpCode.multi,
    OpCode.multi,
    OpCode.multi,
    OpCode.multiRead,
    OpCode.reconfig,
    OpCode.sync,
    OpCode.exists,
    OpCode.getData,
    OpCode.getACL,
    OpCode.getChildren,
    OpCode.getChildren2,
    OpCode.getEphemerals,
    OpCode.getAllChildrenNumber,
    OpCode.setWatches,
    OpCode.setWatches2,
    OpCode.addWatch,
    OpCode.removeWatches,
    OpCode.checkWatches,
    OpCode.ping,
    OpCode.auth,
    OpCode.sasl,
    OpCode.whoAmI,
    OpCode.createSession,
    OpCode.closeSession,
    OpCode.error,
    77,
    -77
  };
  private static final int[] PARTS = {
    OpCode.create,
    OpCode.create2,
    OpCode.createContainer,
    OpCode.createTTL,
    OpCode.delete,
    OpCode.setData,
    OpCode.check,
    OpCode.getData
  };

  private final Random random;

  /** The bytes of the connection with this seed. */
  FuzzedBytes(long seed) {
    random = new Random(seed);
  }

  /** What the connection sends, in one piece or in several. */
  List<byte[]> connection() throws IOException {
    List<byte[]> pieces = new ArrayList<>();
    switch (random.nextInt(12)) {
      case 0 -> pieces.add(garbage());
      case 1 -> pieces.add(WORDS[random.nextInt(WORDS.length)].getBytes(UTF_8));
      case 2 -> pieces.add(frame(damaged(handshake())));
      default -> {
        pieces.add(frame(handshake()));
        requests(pieces);
      }
    }
    return pieces;
  }

  private void requests(List<byte[]> pieces) throws IOException {
    int frames = 1 + random.nextInt(FRAMES_MAX);
    for (int xid = 1; xid <= frames; xid++) {
      int type = TYPES[random.nextInt(TYPES.length)];
      byte[] body = body(type);
      int kind = random.nextInt(10);
      if (kind < 3) {
        body = damaged(body);
      }
      if (kind == 3) {
        type = TYPES[random.nextInt(TYPES.length)];
      }
      byte[] request = joined(bytes(new RequestHeader(xid, type)), body);
      pieces.add(random.nextInt(300) == 0 ? misframed(request) : frame(request));
    }
  }

  private byte[] handshake() throws IOException {
    return bytes(new ConnectRequest(0, 0, SESSION_TIMEOUT_MS, 0, new byte[16], false));
  }

  private byte[] garbage() {
    byte[] bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Cut short, longer, with odd numbers or changed bits. */
  private byte[] damaged(byte[] bytes) {
    if (bytes.length == 0) {
      return garbage();
    }
    byte[] changed = bytes.clone();
    switch (random.nextInt(5)) {
      case 0 -> {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
      case 1 -> {
        return joined(bytes, garbage());
      }
      case 2 -> changed[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      default -> {
        if (bytes.length >= Integer.BYTES) {
          int at = random.nextBoolean() ? 0 : random.nextInt(bytes.length - Integer.BYTES + 1);
          ByteBuffer.wrap(changed).putInt(at, odd());
        }
      }
    }
    return changed;
  }

  private byte[] misframed(byte[] request) {
    byte[] framed = frame(request);
    ByteBuffer.wrap(framed).putInt(0, odd());
    return framed;
  }

  private static byte[] frame(byte[] bytes) {
    return ByteBuffer.allocate(Integer.BYTES + bytes.length)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] bytes(Record record) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    record.serialize(BinaryOutputArchive.getArchive(bytes), "");
    return bytes.toByteArray();
  }

  private byte[] body(int type) throws IOException {
    if (type == OpCode.multi || type == OpCode.multiRead) {
      return multi();
    }
    Record record = request(type);
    return record == null ? new byte[0] : bytes(record);
  }

  private byte[] multi() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryOutputArchive archive = BinaryOutputArchive.getArchive(bytes);
    int parts = random.nextInt(5);
    for (int i = 0; i < parts; i++) {
      int type = PARTS[random.nextInt(PARTS.length)];
      Record part = request(type);
      if (random.nextInt(20) == 0) {
        type = odd();
      }
      new MultiHeader(type, false, -1).serialize(archive, "");
      part.serialize(archive, "");
    }
    if (random.nextInt(20) != 0) {
      new MultiHeader(-1, true, -1).serialize(archive, "");
    }
    return bytes.toByteArray();
  }

  private Record request(int type) {
    return switch (type) {
      case OpCode.create, OpCode.create2, OpCode.createContainer ->
          new CreateRequest(path(), data(), acl(), flags(type));
      case OpCode.createTTL -> new CreateTTLRequest(path(), data(), acl(), flags(type), ttl());
      case OpCode.delete -> new DeleteRequest(path(), version());
      case OpCode.setData -> new SetDataRequest(path(), data(), version());
      case OpCode.setACL -> new SetACLRequest(path(), acl(), version());
      case OpCode.check -> new CheckVersionRequest(path(), version());
      case OpCode.exists -> new ExistsRequest(path(), random.nextBoolean());
      case OpCode.getData -> new GetDataRequest(path(), random.nextBoolean());
      case OpCode.getChildren, OpCode.getChildren2 ->
          new GetChildren2Request(path(), random.nextBoolean());
      case OpCode.setWatches, OpCode.setWatches2 ->
          new SetWatches(odd(), paths(), paths(), paths());
      case OpCode.addWatch -> new AddWatchRequest(path(), random.nextInt(3));
      case OpCode.checkWatches, OpCode.removeWatches ->
          new CheckWatchesRequest(path(), random.nextInt(4));
      case OpCode.auth -> new AuthPacket(0, scheme(), data());
      case OpCode.createSession -> new CreateSessionTxn(odd());
      case OpCode.reconfig -> new ReconfigRequest(path(), null, path(), odd());
      case OpCode.ping, OpCode.closeSession, OpCode.whoAmI -> null;
      // A path alone, which is all that deleteContainer, getEphemerals and others have.
      default -> new SyncRequest(path());
    };
  }

  private int odd() {
    return ODD_NUMBERS[random.nextInt(ODD_NUMBERS.length)];
  }

  private int version() {
    return random.nextInt(4) == 0 ? odd() : -1;
  }

  private long ttl() {
    return switch (random.nextInt(4)) {
      case 0 -> Long.MAX_VALUE;
      case 1 -> odd();
      default -> 50;
    };
  }

  /** Mostly what goes with the type. */
  private int flags(int type) {
    if (random.nextInt(5) == 0) {
      return random.nextInt(9) - 1;
    }
    return switch (type) {
      case OpCode.createContainer -> 4;
      case OpCode.createTTL -> 5;
      default -> random.nextInt(20) == 0 ? 2 : random.nextInt(2);
    };
  }

  private String path() {
    if (random.nextInt(30) == 0) {
      return null;
    }
    String root = ROOTS[random.nextInt(ROOTS.length)];
    String path = random.nextInt(4) == 0 ? root : root + "/" + NAMES[random.nextInt(NAMES.length)];
    // Stock plans changes of the root under two names, and then warns of digests for a while.
    return path.equals("/") ? ROOT : path;
  }

  private List<String> paths() {
    return random.nextInt(5) == 0 ? null : List.of(ROOT, ROOT + "/a");
  }

  private byte[] data() {
    return switch (random.nextInt(6)) {
      case 0 -> null;
      case 1 -> new byte[0];
      case 2 -> "count=1,bytes=1".getBytes(UTF_8);
      case 3 -> new byte[random.nextInt(DATA_BYTES_MAX)];
      default -> Integer.toString(random.nextInt()).getBytes(UTF_8);
    };
  }

  private String scheme() {
    String[] schemes = {"world", "auth", "digest", "ip", "x509", "super", "orca", "", null};
    return schemes[random.nextInt(schemes.length)];
  }

  private List<ACL> acl() {
    if (random.nextInt(30) == 0) {
      return null;
    }
    List<ACL> acl = new ArrayList<>();
    acl.add(new ACL(31, new Id("world", "anyone")));
    if (random.nextInt(6) == 0) {
      String[] ids = {"anyone", "a:b", "127.0.0.1", "\uD83D\uDE00:b", "", null};
      acl.add(random.nextInt(2), new ACL(odd(), new Id(scheme(), ids[random.nextInt(ids.length)])));
    }
    return acl;
  }
}
