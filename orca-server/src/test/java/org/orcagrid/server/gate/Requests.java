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
package org.orcagrid.server.gate;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestRecord;
import org.apache.zookeeper.txn.ErrorTxn;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.Txn;
import org.apache.zookeeper.txn.TxnHeader;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;

/** Requests as they arrive at the last processor, from the bytes that a client sends. */
final class Requests {
  static final int CXID = 7;

  private Requests() {}

  static Request read(int opCode, Record body) {
    return new Request(null, 1, CXID, opCode, RequestRecord.fromBytes(bytes(body)), List.of());
  }

  static Request garbage(int opCode) {
    byte[] bytes = {1, 2, 3};
    return new Request(null, 1, CXID, opCode, RequestRecord.fromBytes(bytes), List.of());
  }

  /** A write that has its place in the order of transactions. */
  static Request write(long zxid, int opCode, Record body) {
    return withTransaction(read(opCode, body), zxid, opCode, null);
  }

  static Request failedWrite(long zxid, int opCode, Record body) {
    return withTransaction(read(opCode, body), zxid, OpCode.error, new ErrorTxn(-103));
  }

  static Request failedMulti(long zxid, Record body) {
    MultiTxn parts =
        new MultiTxn(
            List.of(new Txn(OpCode.setData, new byte[0]), new Txn(OpCode.error, new byte[0])));
    return withTransaction(read(OpCode.multi, body), zxid, OpCode.multi, parts);
  }

  static OrcaSettings settings(String... keysAndValues) {
    Properties keys = new Properties();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      keys.setProperty("orca." + keysAndValues[i], keysAndValues[i + 1]);
    }
    try {
      return OrcaSettings.from(keys);
    } catch (OrcaConfigException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static Request withTransaction(Request request, long zxid, int type, Record txn) {
    request.setHdr(new TxnHeader(1, CXID, zxid, 0, type));
    request.setTxn(txn);
    request.zxid = zxid;
    return request;
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
