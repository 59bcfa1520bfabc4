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
package org.orcagrid.jmh;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestRecord;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.TxnHeader;

/** Requests of ZooKeeper clients, as the processors of a server get them: with unread bytes. */
public final class OverlayRequests {
  private static final long SESSION = 1;
  private static final int XID = 7;
  private static final int ANY_VERSION = -1;

  private OverlayRequests() {}

  /** The bytes of a {@code getData}. */
  public static byte[] getData(String path) {
    return bytes(new GetDataRequest(path, false));
  }

  /** The bytes of a {@code setData} of any version. */
  public static byte[] setData(String path, byte[] data) {
    return bytes(new SetDataRequest(path, data, ANY_VERSION));
  }

  /** A read with these bytes. */
  public static Request read(byte[] bytes) {
    return request(OpCode.getData, bytes);
  }

  /** A write with these bytes that has its place in the order of transactions. */
  public static Request committed(byte[] bytes, long zxid, String path, byte[] data) {
    Request request = request(OpCode.setData, bytes);
    request.setHdr(new TxnHeader(SESSION, XID, zxid, 0, OpCode.setData));
    request.setTxn(new SetDataTxn(path, data, (int) zxid));
    request.zxid = zxid;
    return request;
  }

  private static Request request(int opCode, byte[] bytes) {
    return new Request(null, SESSION, XID, opCode, RequestRecord.fromBytes(bytes), List.of());
  }

  private static byte[] bytes(Record body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      body.serialize(BinaryOutputArchive.getArchive(bytes), "request");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
