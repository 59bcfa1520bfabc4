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
package org.apache.zookeeper.server.quorum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooDefs.OpCode;

/** Takes ZooKeeper's files apart, so that each of their fields can be hurt. */
final class FileRegions {

  private static final int SEAL_BYTES = Long.BYTES + Integer.BYTES + 1;
  private static final int TREE_DIGEST_BYTES = 2 * Long.BYTES + Integer.BYTES;
  private static final int TXN_DIGEST_BYTES = Integer.BYTES + Long.BYTES;

  private final List<FileRegion> regions = new ArrayList<>();
  private final Path file;
  private final ByteBuffer bytes;
  private final String kind;

  private FileRegions(Path folder, Path file, String kind) throws IOException {
    this.file = folder.relativize(file);
    this.bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    this.kind = kind;
  }

  private void region(String name, int length) {
    regions.add(new FileRegion(file, kind + ": " + name, bytes.position(), length));
    bytes.position(bytes.position() + length);
  }

  /** A length, and as many bytes. */
  private void buffer(String name) {
    int length = Math.max(0, bytes.getInt(bytes.position()));
    region("length of " + name, Integer.BYTES);
    region(name, length);
  }

  private void acl() {
    int count = bytes.getInt(bytes.position());
    region("count of ACLs", Integer.BYTES);
    for (int i = 0; i < count; i++) {
      region("ACL's permissions", Integer.BYTES);
      buffer("ACL's scheme");
      buffer("ACL's id");
    }
  }

  /** Of a log. */
  static List<FileRegion> ofLog(Path folder, Path log) throws IOException {
    FileRegions parts = new FileRegions(folder, log, "log");
    parts.log();
    return parts.regions;
  }

  private void log() {
    region("header's magic", Integer.BYTES);
    region("header's version", Integer.BYTES);
    region("header's database", Long.BYTES);
    while (bytes.remaining() > Long.BYTES + Integer.BYTES
        && (bytes.getLong(bytes.position()) != 0
            || bytes.getInt(bytes.position() + Long.BYTES) != 0)) {
      record();
    }
    if (bytes.hasRemaining()) {
      region("padding", bytes.remaining());
    }
  }

  private void record() {
    region("checksum", Long.BYTES);
    int end = bytes.position() + Integer.BYTES + bytes.getInt(bytes.position());
    region("length", Integer.BYTES);
    region("session", Long.BYTES);
    region("cxid", Integer.BYTES);
    region("zxid", Long.BYTES);
    region("time", Long.BYTES);
    int type = bytes.getInt(bytes.position());
    region("type", Integer.BYTES);
    if (type == OpCode.create || type == OpCode.create2) {
      buffer("path");
      buffer("data");
      acl();
      region("ephemeral", 1);
      region("parent's version", Integer.BYTES);
    }
    int digest = end - TXN_DIGEST_BYTES;
    if (digest > bytes.position()) {
      region("rest of another transaction", digest - bytes.position());
    }
    region("digest", end - bytes.position());
    region("end mark", 1);
  }

  /** Of a snapshot that is not compressed. */
  static List<FileRegion> ofSnapshot(Path folder, Path snapshot) throws IOException {
    FileRegions parts = new FileRegions(folder, snapshot, "snapshot");
    parts.snapshot();
    return parts.regions;
  }

  private void snapshot() {
    region("header's magic", Integer.BYTES);
    region("header's version", Integer.BYTES);
    region("header's database", Long.BYTES);
    int sessions = bytes.getInt(bytes.position());
    region("count of sessions", Integer.BYTES);
    for (int i = 0; i < sessions; i++) {
      region("session", Long.BYTES);
      region("session's timeout", Integer.BYTES);
    }
    int lists = bytes.getInt(bytes.position());
    region("count of access lists", Integer.BYTES);
    for (int i = 0; i < lists; i++) {
      region("number of an access list", Long.BYTES);
      acl();
    }
    while (bytes.getInt(bytes.position()) != 1 || bytes.get(bytes.position() + 4) != '/') {
      node();
    }
    region("end of the tree", Integer.BYTES + 1);
    region("seal", SEAL_BYTES);
    region("digest", TREE_DIGEST_BYTES);
    region("seal", SEAL_BYTES);
    region("last zxid", Long.BYTES);
    region("seal", SEAL_BYTES);
    if (bytes.hasRemaining()) {
      throw new IllegalStateException(file + " has more than is known of");
    }
  }

  private void node() {
    buffer("path");
    buffer("data");
    region("node's access list", Long.BYTES);
    region("czxid", Long.BYTES);
    region("mzxid", Long.BYTES);
    region("ctime", Long.BYTES);
    region("mtime", Long.BYTES);
    region("version", Integer.BYTES);
    region("cversion", Integer.BYTES);
    region("aversion", Integer.BYTES);
    region("ephemeral owner", Long.BYTES);
    region("pzxid", Long.BYTES);
  }

  /** Of a short file: each byte, the digits of a number that it begins with apart. */
  static List<FileRegion> ofText(Path folder, Path text) throws IOException {
    String name = text.getFileName().toString();
    FileRegions parts = new FileRegions(folder, text, name.replaceAll("\\.[0-9a-f]+$", ""));
    boolean number = Character.isDigit(parts.bytes.get(0));
    while (parts.bytes.hasRemaining()) {
      number &= parts.bytes.get(parts.bytes.position()) != '\n';
      parts.region(number ? "digit" : "any other byte", 1);
    }
    return parts.regions;
  }
}
