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
package org.orcagrid.examples.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.examples.mailbox.TwoDatacenters.EAST;
import static org.orcagrid.examples.mailbox.TwoDatacenters.WEST;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.SessionToken;

/** The story without a browser, and Ann by hand, on real nodes with a link that is cut. */
@Timeout(120)
class MailboxTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path folder;

  /** The first of two free ports. */
  private static int port() throws CommandFailure {
    List<Integer> ports;
    do {
      ports = FreePorts.find(2, ThreadLocalRandom.current());
    } while (ports.get(1) != ports.get(0) + 1);
    return ports.get(0);
  }

  @Test
  void aSessionNeverSeesLessAndSaysWhatIsMissing() throws Exception {
    StringWriter told = new StringWriter();
    assertEquals("", MailboxCheck.run(folder, port(), new PrintWriter(told)), told::toString);
    assertTrue(told.toString().contains("her session says what is missing"), told::toString);
  }

  @Test
  void withoutTheGuaranteeTheCheckFails() throws Exception {
    StringWriter told = new StringWriter();
    String wrong = MailboxCheck.run(folder, port(), new PrintWriter(told), ReadGuarantee.EVENTUAL);
    assertTrue(wrong.contains("broke"), () -> wrong + told);
  }

  @Test
  void oneOfTheTwoGuaranteesIsNotEnough() throws Exception {
    try (TwoDatacenters datacenters = TwoDatacenters.start(folder, port())) {
      datacenters.link().cut();
      Ann monotonic = new Ann(datacenters, ReadGuarantee.MONOTONIC_READ);
      monotonic.write(WEST, "A note");
      monotonic.read(EAST, false);
      assertEquals(new Sightings.Counts(0, 1), monotonic.session().counts());

      Ann ownWrites = new Ann(datacenters, ReadGuarantee.READ_YOUR_WRITE);
      ownWrites.read(WEST, false);
      ownWrites.read(EAST, false);
      assertEquals(new Sightings.Counts(1, 0), ownWrites.session().counts());
    }
  }

  @Test
  void herCookieGoesWithHer() throws Exception {
    try (TwoDatacenters datacenters = TwoDatacenters.start(folder, port())) {
      Ann ann = new Ann(datacenters, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE);
      datacenters.link().cut();
      Mail mail = datacenters.deliver(WEST, Ann.NAME, "Bob", "Hello");
      ann.write(WEST, "A note");
      ann.read(WEST, false);
      assertEquals(2, ann.session().last().mails().size());

      ann.read(EAST, false);
      Reading refused = ann.session().last();
      assertFalse(refused.isShown());
      assertEquals(WEST, refused.late().behind());
      assertTrue(refused.late().entries() >= 2, refused::toString);
      assertTrue(refused.message().contains("orOlder()"), refused::message);
      assertEquals(2, refused.mails().size(), "what she saw before stays");
      assertEquals(new Sightings.Counts(0, 0), ann.session().counts());
      assertEquals(List.of(), ann.eventual().last().mails());
      assertEquals(new Sightings.Counts(2, 0), ann.eventual().counts());

      ann.read(EAST, true);
      Reading older = ann.session().last();
      assertTrue(older.isShown());
      assertNotNull(older.late());
      assertEquals(List.of(), older.mails());
      assertTrue(older.missing().contains(mail), older::toString);
      assertEquals(new Sightings.Counts(0, 0), ann.session().counts());

      datacenters.link().mend();
      assertTrue(datacenters.awaitCaughtUp(LIMIT), () -> "" + datacenters.lags());
      ann.read(EAST, false);
      assertNull(ann.session().last().late());
      assertEquals(2, ann.session().last().mails().size());
      int length = ((String) ann.session().state().get("cookie")).length();
      assertTrue(length > 0 && length <= SessionToken.LENGTH_MAX, () -> "" + length);
      assertEquals(1, ann.session().state().get("carried"));
    }
  }

  @Test
  void aSlowLinkIsWaitedFor() throws Exception {
    try (TwoDatacenters datacenters = TwoDatacenters.start(folder, port())) {
      Ann ann = new Ann(datacenters, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE);
      datacenters.link().delay(Story.SLOW_MILLIS);
      datacenters.deliver(WEST, Ann.NAME, "Bob", "Hello");
      ann.read(WEST, false);
      Reading reading = ann.session().read(EAST, LIMIT.dividedBy(3), false);
      assertTrue(reading.isInTime());
      assertEquals(1, reading.mails().size());
    }
  }

  @Test
  void withoutHerCookieSheIsSomebodyElse() throws Exception {
    try (TwoDatacenters datacenters = TwoDatacenters.start(folder, port())) {
      Ann ann = new Ann(datacenters, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE);
      datacenters.link().cut();
      ann.write(WEST, "A note");
      ann.forget();
      ann.read(EAST, false);
      assertTrue(ann.session().last().isInTime());
      assertEquals(List.of(), ann.session().last().mails());
      assertEquals(new Sightings.Counts(0, 0), ann.session().counts());
    }
  }

  @Test
  void whatIsWrongIsNamed() throws Exception {
    try (TwoDatacenters datacenters = TwoDatacenters.start(folder, port())) {
      IllegalArgumentException north =
          assertThrows(IllegalArgumentException.class, () -> datacenters.client("north"));
      assertTrue(north.getMessage().contains("[west, east]"), north.getMessage());
      assertThrows(
          IllegalArgumentException.class,
          () -> datacenters.deliver(WEST, Ann.NAME, "Bob", "two\nlines"));
    }
  }
}
