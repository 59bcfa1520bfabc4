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
package org.orcagrid.server.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.Readers;
import org.orcagrid.server.settings.Replication;

class PeerMessageCodecTest {
  private static final long INDEX = 0x7fffffff00000001L;

  static Stream<PeerMessage> messages() {
    Stream.Builder<PeerMessage> messages = Stream.builder();
    messages.add(new PeerMessage.Hello(INDEX, 5));
    messages.add(new PeerMessage.Hello(-1, 0));
    messages.add(new PeerMessage.Announcement());
    for (Durability durability : Durability.values()) {
      for (Readers readers : Readers.values()) {
        messages.add(new PeerMessage.Welcome(durability, Replication.SYNC, readers, INDEX, 0));
      }
    }
    for (Replication replication : Replication.values()) {
      messages.add(
          new PeerMessage.Welcome(Durability.CAD, replication, Readers.ALL, Long.MAX_VALUE, INDEX));
    }
    messages.add(new PeerMessage.Flush(INDEX));
    messages.add(new PeerMessage.Durable(INDEX, Long.MIN_VALUE));
    messages.add(new PeerMessage.Progress(0, 7));
    messages.add(new PeerMessage.Demand(INDEX, INDEX + 1));
    messages.add(new PeerMessage.AskApplied(INDEX));
    messages.add(new PeerMessage.Heartbeat(9, INDEX));
    messages.add(new PeerMessage.Beat(9, -4, INDEX, 8, 3, INDEX + 2, 6));
    messages.add(new PeerMessage.Grant(-4, 200));
    messages.add(new PeerMessage.MarkOut());
    messages.add(new PeerMessage.MarkedOut());
    messages.add(new PeerMessage.Withheld(17));
    messages.add(new PeerMessage.Confirmed(18));
    return messages.build();
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageIsDecodedToWhatWasEncoded(PeerMessage message) throws IOException {
    assertEquals(message, PeerMessageCodec.decode(PeerMessageCodec.encode(message)));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageThatIsCutOffAnywhereIsAnIoException(PeerMessage message) {
    byte[] bytes = PeerMessageCodec.encode(message);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(IOException.class, () -> PeerMessageCodec.decode(cut), "length " + length);
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void fieldsOfALaterVersionAreIgnored(PeerMessage message) throws IOException {
    byte[] bytes = PeerMessageCodec.encode(message);
    byte[] later = Arrays.copyOf(bytes, bytes.length + 13);
    later[0] = 4;
    later[bytes.length] = 42;

    assertEquals(message, PeerMessageCodec.decode(later));
  }

  @Test
  void noBytesAtAllAreAnIoException() {
    assertThrows(IOException.class, () -> PeerMessageCodec.decode(null));
  }

  @ParameterizedTest
  @ValueSource(bytes = {0, 2, -1, Byte.MIN_VALUE})
  void aVersionThatNeverWasIsAnIoException(byte version) {
    byte[] bytes = PeerMessageCodec.encode(new PeerMessage.Flush(INDEX));
    bytes[0] = version;

    assertThrows(IOException.class, () -> PeerMessageCodec.decode(bytes));
  }

  @ParameterizedTest
  @ValueSource(bytes = {0, 16, 100, -1})
  void aKindThatIsNotKnownIsAnIoException(byte kind) {
    byte[] bytes = PeerMessageCodec.encode(new PeerMessage.Flush(INDEX));
    bytes[1] = kind;

    assertThrows(IOException.class, () -> PeerMessageCodec.decode(bytes));
  }

  @Test
  void aModeThatIsNotKnownIsAnIoException() {
    byte[] bytes =
        PeerMessageCodec.encode(
            new PeerMessage.Welcome(Durability.CAD, Replication.ASYNC, Readers.ALL, 0, 0));
    byte[] durability = bytes.clone();
    durability[9] = 77;
    byte[] readers = bytes.clone();
    readers[25] = 77;
    byte[] replication = bytes.clone();
    replication[17] = 77;

    assertThrows(IOException.class, () -> PeerMessageCodec.decode(durability));
    assertThrows(IOException.class, () -> PeerMessageCodec.decode(readers));
    assertThrows(IOException.class, () -> PeerMessageCodec.decode(replication));
  }

  @Test
  void randomBytesAreAMessageOrAnIoExceptionAndNothingElse() {
    SplittableRandom random = new SplittableRandom(1);
    int decoded = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[random.nextInt(48)];
      random.nextBytes(bytes);
      if (bytes.length > 1 && random.nextBoolean()) {
        bytes[0] = 1;
        bytes[1] = (byte) random.nextInt(8);
      }
      try {
        assertNotNull(PeerMessageCodec.decode(bytes));
        decoded++;
      } catch (IOException e) {
        assertNotNull(e.getMessage());
      }
    }
    assertEquals(true, decoded > 1_000, "the random bytes include messages: " + decoded);
  }
}
