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

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ConnectResponse;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;

/** A session that sends any bytes as the body of a request, and as many as one likes at once. */
final class RawClient implements AutoCloseable {
  private static final int SESSION_TIMEOUT_MS = 10_000;
  private static final int ANSWER_MS_MAX = 10_000;

  /** More than a server looks at of a request that is too long. */
  private static final int HEAD_BYTES = 4096;

  /** The head of an answer: of which request, and the error. */
  record Answer(int xid, int error) {}

  private final Socket socket;
  private final DataOutputStream out;
  private final DataInputStream in;
  private int lastXid;

  /** Connects to a server on this machine and opens a session. */
  RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(ANSWER_MS_MAX);
    socket.setTcpNoDelay(true);
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    frame(bytes(new ConnectRequest(0, 0, SESSION_TIMEOUT_MS, 0, new byte[16], false)));
    out.flush();
    ConnectResponse opened = new ConnectResponse();
    opened.deserialize(archive(frame()), "");
    if (opened.getTimeOut() <= 0) {
      throw new IOException("No session at port " + port);
    }
  }

  /** What a record is in a request's body. */
  static byte[] bytes(Record record) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    record.serialize(BinaryOutputArchive.getArchive(bytes), "");
    return bytes.toByteArray();
  }

  private static BinaryInputArchive archive(byte[] bytes) {
    return BinaryInputArchive.getArchive(new ByteArrayInputStream(bytes));
  }

  /** Writes a request; it leaves with {@link #flush}. Returns its number. */
  int send(int type, byte[] body) throws IOException {
    lastXid++;
    byte[] header = bytes(new RequestHeader(lastXid, type));
    out.writeInt(header.length + body.length);
    out.write(header);
    out.write(body);
    return lastXid;
  }

  /** Writes the beginning of a request that is said to be so long. */
  void begin(int type, byte[] body, int bytes) throws IOException {
    lastXid++;
    out.writeInt(bytes);
    out.write(bytes(new RequestHeader(lastXid, type)));
    out.write(body);
    out.write(new byte[HEAD_BYTES]);
  }

  void flush() throws IOException {
    out.flush();
  }

  /** The next answer. */
  Answer answer() throws IOException {
    ReplyHeader header = new ReplyHeader();
    header.deserialize(archive(frame()), "");
    return new Answer(header.getXid(), header.getErr());
  }

  private void frame(byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private byte[] frame() throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
