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
package org.orcagrid.geo.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.replica.Command;
import org.orcagrid.geo.replica.CommandCodec;
import org.orcagrid.geo.replica.Condition;
import org.orcagrid.geo.replica.LocalWrite;
import org.orcagrid.geo.replica.MergeStream;
import org.orcagrid.geo.replica.RemoteWrite;
import org.orcagrid.geo.replica.StoredVersion;
import org.orcagrid.geo.replica.WriteId;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

class MessageCodecTest {
  private static final byte[] KEY = {1, 2, 3};
  private static final byte[] VALUE = new byte[300];
  private static final MergeStream STREAM = new MergeStream(1, 4, -7);
  private static final PositionVector VECTOR = PositionVector.of(1L << 50, 0, 3);

  private static final Command.Replicated WRITES =
      new Command.Replicated(
          2,
          List.of(
              new RemoteWrite(0, 5, 1L << 60, KEY, VALUE),
              new RemoteWrite(5, 9, 8, KEY, null),
              new RemoteWrite(9, 10, 8, null, null)));

  private static final Command.Merged PART =
      new Command.Merged(
          STREAM,
          3,
          true,
          VECTOR,
          4,
          List.of(
              new StoredVersion(KEY, VALUE, new Version(7, 1, 9)),
              new StoredVersion(KEY, null, new Version(8, 1, 9))));

  private static final List<GeoMessage> MESSAGES =
      List.of(
          new GeoMessage.Replicate(WRITES),
          new GeoMessage.Merge(PART),
          new GeoMessage.Progress(VECTOR, true, STREAM, 2, 4),
          new GeoMessage.NotLeading(-1),
          new GeoMessage.NotLeading(8),
          new GeoMessage.Report(3, 4, VECTOR, 5, 6, 7, 8, 2),
          new GeoMessage.Standing(VECTOR, 9));

  private static final List<Command> COMMANDS =
      List.of(
          WRITES,
          PART,
          new Command.Purge(VECTOR),
          new Command.Local(
              new LocalWrite(new WriteId(-1, 2, 2), 5, 4, Condition.ABSENT, KEY, VALUE)),
          new Command.Local(new LocalWrite(new WriteId(1, 2, 1), 5, 4, null, KEY, null)));

  private static byte[] bytes(GeoMessage message) {
    Encoder out = new Encoder();
    MessageCodec.write(out, message);
    return out.toBytes();
  }

  @Test
  void whatIsWrittenIsRead() {
    for (GeoMessage each : MESSAGES) {
      assertArrayEquals(bytes(each), bytes(MessageCodec.read(new Decoder(bytes(each)))));
    }
    for (Command each : COMMANDS) {
      byte[] bytes = CommandCodec.encode(each);
      assertArrayEquals(bytes, CommandCodec.encode(CommandCodec.decode(bytes)));
    }
  }

  @Test
  void whatIsCutOffOrTooLongIsMalformed() {
    for (GeoMessage each : MESSAGES) {
      byte[] bytes = bytes(each);
      for (int length = 0; length < bytes.length; length++) {
        byte[] part = Arrays.copyOf(bytes, length);
        assertThrows(MalformedPacketException.class, () -> MessageCodec.read(new Decoder(part)));
      }
      byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
      assertThrows(MalformedPacketException.class, () -> MessageCodec.read(new Decoder(more)));
    }
  }

  /** Whatever comes, it is a message or malformed: nothing else is thrown. */
  @Test
  void noBytesDoHarm() {
    SplittableRandom random = new SplittableRandom(1);
    int malformed = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = bytes(MESSAGES.get(i % MESSAGES.size()));
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        MessageCodec.read(new Decoder(bytes));
      } catch (MalformedPacketException e) {
        malformed++;
      }
    }
    assertTrue(malformed > 1_000, "only " + malformed + " were malformed");
  }
}
