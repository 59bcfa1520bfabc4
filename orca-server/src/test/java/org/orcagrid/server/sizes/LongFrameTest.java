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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetChildrenResponse;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestRecord;
import org.apache.zookeeper.txn.CloseSessionTxn;
import org.junit.jupiter.api.Test;

/** What is read of requests that are too long, and what comes in their place. */
class LongFrameTest {
  private static final int TOO_LONG = BinaryInputArchive.maxBuffer + 1;

  private static byte[] request(int xid, int type, Record... records) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryOutputArchive out = BinaryOutputArchive.getArchive(bytes);
    new RequestHeader(xid, type).serialize(out, "");
    for (Record each : records) {
      each.serialize(out, "");
    }
    return bytes.toByteArray();
  }

  private static LongFrame frame(byte[] begin, int bytes) {
    LongFrame frame = new LongFrame(bytes);
    frame.take(ByteBuffer.wrap(Arrays.copyOf(begin, 2000)));
    return frame;
  }

  private static LongFrame setData(int xid, String path) throws IOException {
    return frame(request(xid, OpCode.setData, new SetDataRequest(path, new byte[0], -1)), TOO_LONG);
  }

  @Test
  void itsOperationAndItsPathAreTold() throws IOException {
    assertEquals("setData", setData(1, "/a/b").operation());
    assertEquals("/a/b", setData(1, "/a/b").path());
    MultiOperationRecord multi =
        new MultiOperationRecord(List.of(Op.delete("/first", -1), Op.delete("/second", -1)));
    LongFrame frame = frame(request(1, OpCode.multi, multi), TOO_LONG);
    assertEquals("multi", frame.operation());
    assertEquals("/first", frame.path());
  }

  @Test
  void aPathIsNotTrusted() throws IOException {
    assertEquals("/a?b?c", setData(1, "/a\nb\u001bc").path());
    assertEquals("/" + "x".repeat(199) + "...", setData(1, "/" + "x".repeat(5000)).path());
    assertEquals("?", setData(1, "no path").path());
    for (int length : new int[] {Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE}) {
      ByteBuffer bytes = ByteBuffer.allocate(16).putInt(1).putInt(OpCode.create).putInt(length);
      assertEquals("?", frame(bytes.array(), TOO_LONG).path(), "length " + length);
    }
  }

  @Test
  void onlyWhatTheClientTakesForAFailureIsAnswered() throws IOException {
    assertTrue(setData(1, "/a").isAnswered());
    assertFalse(setData(-8, "/a").isAnswered());
    for (int type : new int[] {OpCode.auth, OpCode.sasl, OpCode.setWatches, OpCode.closeSession}) {
      assertFalse(frame(request(1, type), TOO_LONG).isAnswered(), Request.op2String(type));
    }
    assertFalse(frame(request(1, OpCode.create), LongFrame.SKIPPED_BYTES_MAX + 1).isAnswered());
  }

  /** The frames that a connection is given. */
  private static final class Received implements ClientFrames.Connection {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<String> tooLong = new ArrayList<>();

    @Override
    public void read(ByteBuf from) {
      byte[] all = new byte[from.readableBytes()];
      from.readBytes(all);
      bytes.writeBytes(all);
    }

    @Override
    public boolean onLong(LongFrame frame) {
      tooLong.add(frame.path());
      return frame.isAnswered();
    }
  }

  @Test
  void framesAreFoundHoweverTheirBytesCome() throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ByteArrayOutputStream sent = new ByteArrayOutputStream();
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      List<String> tooLong = new ArrayList<>();
      DataOutputStream out = new DataOutputStream(sent);
      DataOutputStream through = new DataOutputStream(expected);
      for (int i = 0; i < 12; i++) {
        byte[] content = request(i + 1, OpCode.setData, new SetDataRequest("/" + i, null, -1));
        boolean isLong = i > 0 && random.nextInt(4) == 0;
        out.writeInt(isLong ? TOO_LONG : content.length);
        out.write(isLong ? Arrays.copyOf(content, TOO_LONG) : content);
        byte[] read = isLong ? frame(content, TOO_LONG).substitute().flip().array() : content;
        through.writeInt(read.length);
        through.write(read);
        if (isLong) {
          tooLong.add("/" + i);
        }
      }
      Received received = new Received();
      ClientFrames frames = new ClientFrames(received);
      ByteBuf left = Unpooled.wrappedBuffer(sent.toByteArray());
      int most = random.nextBoolean() ? 9 : 100_000;
      while (left.isReadable()) {
        boolean small = most < 10 && left.readableBytes() < 2000;
        int count = 1 + random.nextInt(small ? most : 70_000);
        frames.read(left.readSlice(Math.min(count, left.readableBytes())));
      }
      assertEquals(tooLong, received.tooLong, "seed " + seed);
      assertTrue(
          Arrays.equals(expected.toByteArray(), received.bytes.toByteArray()), "seed " + seed);
    }
  }

  @Test
  void framesAreFoundByteByByte() throws IOException {
    byte[] content = request(1, OpCode.delete);
    ByteBuffer sent = ByteBuffer.allocate(3 * (Integer.BYTES + content.length));
    for (int i = 0; i < 3; i++) {
      sent.putInt(content.length).put(content);
    }
    Received received = new Received();
    ClientFrames frames = new ClientFrames(received);
    for (byte each : sent.array()) {
      frames.read(Unpooled.wrappedBuffer(new byte[] {each}));
    }
    assertTrue(Arrays.equals(sent.array(), received.bytes.toByteArray()));
  }

  @Test
  void whatIsNoClientOfOursIsLeftToStock() {
    byte[] word = "GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    Received received = new Received();
    new ClientFrames(received).read(Unpooled.wrappedBuffer(word));
    assertTrue(Arrays.equals(word, received.bytes.toByteArray()));
    assertEquals(List.of(), received.tooLong);
  }

  @Test
  void anAnswerIsDescribed() throws IOException {
    byte[] body = Arrays.copyOfRange(request(1, 1, new GetChildrenRequest("/p", false)), 8, 15);
    Request request =
        new Request(null, 1, 1, OpCode.getChildren, RequestRecord.fromBytes(body), List.of());
    GetChildrenResponse children = new GetChildrenResponse(List.of("a", "b"));
    assertEquals(
        "operation=getChildren path=/p children=2",
        ReplyContent.of(-1, null, children, request).toString());
    assertEquals(
        "operation=getData path=/d", new ReplyContent(OpCode.getData, "/d", null).toString());
  }

  @Test
  void theEndOfASessionNamesNoMoreThanServersRead() {
    TransactionLimit limit = new TransactionLimit(64 + 4 + 3 * (4 + 10));
    String path = "/234567890";
    CloseSessionTxn fits = new CloseSessionTxn(List.of(path, path, path));
    assertEquals(fits, limit.shortened(fits));
    assertEquals(fits, limit.shortened(new CloseSessionTxn(List.of(path, path, path, "/", path))));
    assertFalse(limit.admits(limit.bytesMax()));
    assertTrue(limit.admits(4 + 3 * 14));
    assertEquals(2L * BinaryInputArchive.maxBuffer, TransactionLimit.ofServers().bytesMax());
  }
}
