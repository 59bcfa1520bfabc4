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
package org.orcagrid.requests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.DeleteContainerRequest;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.proto.CheckVersionRequest;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.CreateTTLRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.MultiHeader;
import org.apache.zookeeper.proto.ReconfigRequest;
import org.apache.zookeeper.proto.SetACLRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.proto.SyncRequest;

/** Bodies of requests, sound ones and others. */
final class Bodies {
  private static final byte[] DATA = {1, 2, 3};
  private static final int MINUS_ONE = -1;

  private Bodies() {}

  static byte[] create(String path, int flags) throws IOException {
    return RawClient.bytes(new CreateRequest(path, DATA, Ids.OPEN_ACL_UNSAFE, flags));
  }

  static byte[] delete(String path) throws IOException {
    return RawClient.bytes(new DeleteRequest(path, MINUS_ONE));
  }

  static byte[] setData(String path, byte[] data) throws IOException {
    return RawClient.bytes(new SetDataRequest(path, data, MINUS_ONE));
  }

  /** A create with an identity in four bytes of UTF-8, which jute itself does not write. */
  static byte[] createWithIdentityBeyondThePlane(String path) throws IOException {
    List<ACL> acl = List.of(new ACL(Perms.ALL, new Id("digest", "FOUR:x")));
    byte[] bytes = RawClient.bytes(new CreateRequest(path, DATA, acl, 0));
    byte[] character = Character.toString(0x1F600).getBytes(UTF_8);
    int at = new String(bytes, ISO_8859_1).indexOf("FOUR");
    System.arraycopy(character, 0, bytes, at, character.length);
    return bytes;
  }

  /** An access list that names nobody: it is decoded, and nothing can be done with it. */
  static List<ACL> aclOfNobody() {
    return List.of(new ACL(Perms.ALL, new Id("world", null)));
  }

  /** An operation of a multi. */
  record Part(int type, Record request) {}

  /** A multi with an end. */
  static byte[] multi(Part... operations) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryOutputArchive archive = BinaryOutputArchive.getArchive(bytes);
    for (Part each : operations) {
      new MultiHeader(each.type(), false, MINUS_ONE).serialize(archive, "");
      each.request().serialize(archive, "");
    }
    new MultiHeader(MINUS_ONE, true, MINUS_ONE).serialize(archive, "");
    return bytes.toByteArray();
  }

  private static Map<Integer, Record> sound() {
    Map<Integer, Record> sound = new LinkedHashMap<>();
    CreateRequest create = new CreateRequest("/x", DATA, Ids.OPEN_ACL_UNSAFE, 0);
    sound.put(OpCode.create, create);
    sound.put(OpCode.create2, create);
    sound.put(OpCode.createContainer, new CreateRequest("/x", DATA, Ids.OPEN_ACL_UNSAFE, 4));
    sound.put(OpCode.createTTL, new CreateTTLRequest("/x", DATA, Ids.OPEN_ACL_UNSAFE, 5, 1000L));
    sound.put(OpCode.delete, new DeleteRequest("/x", MINUS_ONE));
    sound.put(OpCode.deleteContainer, new DeleteContainerRequest("/x"));
    sound.put(OpCode.setData, new SetDataRequest("/x", DATA, MINUS_ONE));
    sound.put(OpCode.setACL, new SetACLRequest("/x", Ids.OPEN_ACL_UNSAFE, MINUS_ONE));
    sound.put(OpCode.sync, new SyncRequest("/x"));
    return sound;
  }

  /** Types of requests by name, each with bodies that cannot be decoded. */
  static Map<String, Map.Entry<Integer, List<byte[]>>> undecodable() throws IOException {
    Map<String, Map.Entry<Integer, List<byte[]>>> all = new LinkedHashMap<>();
    for (Map.Entry<Integer, Record> each : sound().entrySet()) {
      byte[] bytes = RawClient.bytes(each.getValue());
      List<byte[]> bodies =
          new ArrayList<>(
              List.of(
                  new byte[0],
                  Arrays.copyOf(bytes, bytes.length - 1),
                  startingWith(bytes, -2),
                  startingWith(bytes, Integer.MAX_VALUE)));
      if (each.getKey() != OpCode.sync) {
        bodies.add(withoutPath(bytes));
      }
      all.put(
          each.getValue().getClass().getSimpleName() + each.getKey(),
          Map.entry(each.getKey(), bodies));
    }
    byte[] reconfig = RawClient.bytes(new ReconfigRequest("a", "b", "c", 1));
    all.put(
        "reconfig",
        Map.entry(
            OpCode.reconfig,
            List.of(new byte[0], Arrays.copyOf(reconfig, 7), startingWith(reconfig, -7))));
    all.put("multi", Map.entry(OpCode.multi, undecodableMultis()));
    all.put("createSession", Map.entry(OpCode.createSession, List.of(new byte[0], new byte[3])));
    return all;
  }

  private static List<byte[]> undecodableMultis() throws IOException {
    CreateRequest good = new CreateRequest("/x", DATA, Ids.OPEN_ACL_UNSAFE, 0);
    byte[] sound =
        multi(
            new Part(OpCode.create, good),
            new Part(OpCode.check, new CheckVersionRequest("/", MINUS_ONE)));
    return List.of(
        new byte[0],
        Arrays.copyOf(sound, sound.length - 9),
        Arrays.copyOf(sound, sound.length - 1),
        withSecond(new DeleteRequest(null, MINUS_ONE), OpCode.delete),
        withSecond(new CreateRequest(null, DATA, Ids.OPEN_ACL_UNSAFE, 0), OpCode.create),
        withSecond(new CreateRequest("/y", DATA, null, 0), OpCode.create),
        withSecond(new CreateRequest("/y", DATA, Ids.OPEN_ACL_UNSAFE, 77), OpCode.create),
        withSecond(new SyncRequest("/y"), OpCode.sync),
        withSecond(new SyncRequest("/y"), 4711));
  }

  private static byte[] withSecond(Record second, int type) throws IOException {
    CreateRequest first = new CreateRequest("/x", DATA, Ids.OPEN_ACL_UNSAFE, 0);
    return multi(new Part(OpCode.create, first), new Part(type, second));
  }

  private static byte[] startingWith(byte[] bytes, int length) {
    byte[] changed = bytes.clone();
    ByteBuffer.wrap(changed).putInt(0, length);
    return changed;
  }

  /** The path is the first field: its length and its two bytes. */
  private static byte[] withoutPath(byte[] bytes) {
    byte[] rest = Arrays.copyOfRange(bytes, 6, bytes.length);
    return ByteBuffer.allocate(4 + rest.length).putInt(MINUS_ONE).put(rest).array();
  }
}
