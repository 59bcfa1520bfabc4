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
package org.orcagrid.ddp.replica.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/** A link brings everything, in order and once, over packets that are lost, doubled and late. */
class LinkTest {
  private static final int SEEDS = 200;
  private static final int MESSAGES = 300;
  private static final long RESEND_NANOS = 10;
  private static final int PACKET_BYTES = 100;

  private record Packet(long first, long received, long behind, List<ReplicaMessage> messages) {}

  @Test
  void everythingArrivesInOrderAndOnce() {
    for (long seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Link here = new Link();
      Link there = new Link();
      here.connect(1);
      there.connect(1);
      List<Packet> forth = new ArrayList<>();
      List<Packet> back = new ArrayList<>();
      List<Integer> arrived = new ArrayList<>();
      int sent = 0;
      long now = 0;
      while (arrived.size() < MESSAGES || here.backlog() > 0) {
        now++;
        assertTrue(now < 100_000, "seed " + seed + " does not end");
        if (sent < MESSAGES && random.nextBoolean()) {
          here.add(new ReplicaMessage.Hello(sent++));
        }
        send(here, forth, random, now);
        send(there, back, random, now);
        receive(there, forth, random, arrived);
        receive(here, back, random, new ArrayList<>());
      }
      for (int i = 0; i < MESSAGES; i++) {
        assertEquals(i, arrived.get(i), "seed " + seed);
      }
      assertEquals(MESSAGES, arrived.size());
    }
  }

  /** A map is there at one node before it is at another one. */
  @Test
  void whoBeginsToTalkGetsAtOnceWhatItHasMissed() {
    Link here = new Link();
    here.connect(1);
    here.add(new ReplicaMessage.Hello(7));
    assertEquals(1, here.takeDue(0, RESEND_NANOS, PACKET_BYTES).size());
    assertEquals(List.of(), here.takeDue(1, RESEND_NANOS, PACKET_BYTES), "it is on its way");
    here.acknowledged(0, 0);
    List<Link.Batch> again = here.takeDue(2, RESEND_NANOS, PACKET_BYTES);
    assertEquals(List.of(new ReplicaMessage.Hello(7)), again.get(0).messages());
    here.acknowledged(0, 0);
    assertEquals(List.of(), here.takeDue(3, RESEND_NANOS, PACKET_BYTES), "only once");
  }

  @Test
  void whatHasHadItsTurnIsToldOnceAndInOrder() {
    Link here = new Link();
    here.connect(1);
    for (int i = 0; i < 4; i++) {
      here.add(new ReplicaMessage.Hello(i));
    }
    here.takeDue(0, RESEND_NANOS, PACKET_BYTES);
    List<ReplicaMessage> arrived = new ArrayList<>();
    here.acknowledged(3, 0);
    here.acknowledged(2, 0);
    here.tellArrived(arrived::add);
    here.tellArrived(arrived::add);
    List<ReplicaMessage> three = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      three.add(new ReplicaMessage.Hello(i));
    }
    assertEquals(three, arrived, "an older packet may come later");
    here.connect(2);
    here.acknowledged(4, 0);
    here.tellArrived(arrived::add);
    assertEquals(three, arrived, "another life has had nothing");
  }

  @Test
  void whatHasHadItsTurnIsToldBehindWhatTheOtherSideHadSaidBefore() {
    Link here = new Link();
    here.connect(1);
    here.add(new ReplicaMessage.Hello(7));
    here.add(new ReplicaMessage.Hello(8));
    here.takeDue(0, RESEND_NANOS, PACKET_BYTES);
    List<ReplicaMessage> arrived = new ArrayList<>();
    here.acknowledged(1, 2);
    here.tellArrived(arrived::add);
    here.receive(0, new ReplicaMessage.Hello(1));
    here.next();
    here.acknowledged(2, 3);
    here.tellArrived(arrived::add);
    assertEquals(List.of(), arrived, "another message of the other side is on its way");
    assertEquals(2, here.arrived(), "it need not be sent again all the same");
    here.receive(1, new ReplicaMessage.Hello(2));
    here.next();
    here.tellArrived(arrived::add);
    assertEquals(List.of(new ReplicaMessage.Hello(7)), arrived);
    here.receive(2, new ReplicaMessage.Hello(3));
    here.next();
    here.tellArrived(arrived::add);
    assertEquals(List.of(new ReplicaMessage.Hello(7), new ReplicaMessage.Hello(8)), arrived);
  }

  private static final ReplicaMessage MAY_WAIT =
      new ReplicaMessage.Val(Key.of("key"), 7, ReplicaMessage.CONSISTENCY);

  private static List<Link.Batch> due(Link link, long now) {
    return link.takeDue(now, 8 * RESEND_NANOS, PACKET_BYTES);
  }

  @Test
  void whatMayWaitTravelsWithTheNextMessage() {
    Link here = new Link();
    here.connect(1);
    here.add(MAY_WAIT);
    assertEquals(List.of(), due(here, 0));
    assertEquals(RESEND_NANOS - 1, here.nanosToSend(1, 8 * RESEND_NANOS));
    here.add(new ReplicaMessage.Hello(1));
    List<Link.Batch> together = due(here, 1);
    assertEquals(1, together.size());
    assertEquals(List.of(MAY_WAIT, new ReplicaMessage.Hello(1)), together.get(0).messages());
  }

  @Test
  void whatMayWaitDoesNotWaitForEver() {
    Link here = new Link();
    here.connect(1);
    here.add(MAY_WAIT);
    assertEquals(List.of(), due(here, 0));
    assertEquals(List.of(), due(here, RESEND_NANOS - 1));
    assertEquals(List.of(MAY_WAIT), due(here, RESEND_NANOS).get(0).messages());
    here.answer(false);
    assertEquals(List.of(), due(here, RESEND_NANOS + 1));
    assertEquals(List.of(), due(here, 2 * RESEND_NANOS).stream().toList());
    assertEquals(List.of(), due(here, 2 * RESEND_NANOS + 1).get(0).messages(), "an answer");
  }

  @Test
  void nothingWaitsForWhomOperationsWait() {
    Link here = new Link();
    here.connect(1);
    here.add(MAY_WAIT);
    assertEquals(List.of(), due(here, 0));
    here.hurried(true);
    assertEquals(1, due(here, 0).size());
    here.answer(false);
    assertEquals(List.of(), due(here, 0), "nobody waits for an answer");
    here.answer(true);
    assertEquals(1, due(here, 0).size());
  }

  /** The other side may have a window of messages under way, and stands still when it is full. */
  @Test
  void whoReceivesMuchAnswersWithoutWaiting() {
    Link here = new Link();
    here.connect(1);
    int answers = 0;
    for (int i = 0; i < 1024; i++) {
      here.receive(i, new ReplicaMessage.Hello(i));
      here.next();
      here.answer(false);
      answers += due(here, 0).size();
    }
    assertEquals(4, answers);
  }

  private static void send(Link link, List<Packet> out, SplittableRandom random, long now) {
    for (Link.Batch batch : link.takeDue(now, RESEND_NANOS, PACKET_BYTES)) {
      for (int copies = random.nextInt(3); copies > 0; copies--) {
        out.add(
            random.nextInt(out.size() + 1),
            new Packet(batch.first(), link.received(), link.sent(), List.copyOf(batch.messages())));
      }
    }
  }

  private static void receive(
      Link link, List<Packet> in, SplittableRandom random, List<Integer> arrived) {
    if (in.isEmpty() || random.nextInt(3) == 0) {
      return;
    }
    Packet packet = in.remove(0);
    link.acknowledged(packet.received(), packet.behind());
    long number = packet.first();
    for (ReplicaMessage message : packet.messages()) {
      link.receive(number++, message);
    }
    for (ReplicaMessage next = link.next(); next != null; next = link.next()) {
      arrived.add(((ReplicaMessage.Hello) next).view());
    }
    link.tellArrived(message -> {});
    if (!packet.messages().isEmpty()) {
      link.answer(random.nextBoolean());
    }
  }

  @Test
  void whatHasOvertakenOthersNeedNotBeSentAgain() {
    Link link = new Link();
    link.connect(1);
    link.receive(1, new ReplicaMessage.Hello(1));
    assertNull(link.next());
    assertEquals(0, link.received());
    link.receive(0, new ReplicaMessage.Hello(0));
    assertEquals(new ReplicaMessage.Hello(0), link.next());
    assertEquals(new ReplicaMessage.Hello(1), link.next());
    assertEquals(2, link.received());
    link.receive(1, new ReplicaMessage.Hello(1));
    assertNull(link.next(), "once");
  }

  @Test
  void whatCameEarlyInAnotherLifeIsForgotten() {
    Link link = new Link();
    link.connect(1);
    link.receive(1, new ReplicaMessage.Hello(1));
    link.connect(2);
    link.receive(0, new ReplicaMessage.Hello(0));
    assertEquals(new ReplicaMessage.Hello(0), link.next());
    assertNull(link.next());
  }

  @Test
  void anotherLifeForgetsWhatWasUnderWay() {
    Link link = new Link();
    link.connect(1);
    link.add(new ReplicaMessage.Hello(1));
    link.connect(2);
    assertEquals(0, link.backlog());
    assertEquals(List.of(), link.takeDue(0, RESEND_NANOS, PACKET_BYTES));
  }

  @Test
  void aPacketHasSoManyBytesOrOneMessage() {
    Link link = new Link();
    link.connect(1);
    for (int bytes : new int[] {10, 10, 200, 10, 50, 60}) {
      link.add(new ReplicaMessage.Inv(new Write(Key.of("k"), 1, new byte[bytes])));
    }
    List<Integer> messages =
        link.takeDue(0, RESEND_NANOS, PACKET_BYTES).stream()
            .map(batch -> batch.messages().size())
            .toList();
    assertEquals(List.of(2, 1, 2, 1), messages);
  }

  @Test
  void whateverHasItsTurnIsTaken() {
    Link link = new Link();
    link.connect(1);
    link.receive(0, new ReplicaMessage.Hello(1));
    IllegalStateException broken = assertThrows(IllegalStateException.class, link::checkInvariants);
    assertTrue(broken.getMessage().contains("whatever has its turn"), broken::getMessage);
    link.next();
    link.checkInvariants();
  }
}
