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
package org.orcagrid.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is told of many who are refused, second by second. */
class RefusalsTest {
  private final Refusals refusals = new Refusals();
  private final List<String> told = new ArrayList<>();

  /** Returns whether a second begins. */
  private boolean add(String address, String reason) {
    return note(refusals.add(address, reason));
  }

  private boolean note(Refusals.Added added) {
    if (added.told() != null) {
      told.add(added.told().address() + ": " + added.told().reason());
    }
    return added.beginsSecond();
  }

  /** Returns whether another one follows. */
  private boolean endSecond() {
    Refusals.Second ended = refusals.endSecond();
    ended.told().forEach(line -> told.add(line.address() + ": " + line.reason()));
    return ended.goesOn();
  }

  private void assertTold(String... lines) {
    assertEquals(List.of(lines), told);
    told.clear();
  }

  @Test
  void theFirstOneIsToldAtOnceAndTheRestAtTheEndOfTheSecond() {
    assertTrue(add("a", "it has no secret"));
    assertTold("a: it has no secret");
    for (int i = 0; i < 41; i++) {
      assertFalse(add("b" + i, "it has no secret"));
    }
    assertTold();
    assertTrue(endSecond());
    assertTold("b40: it has no secret (and 40 more)");
    add("c", "it has no secret");
    assertTold();
    assertTrue(endSecond());
    assertTold("c: it has no secret");
    assertFalse(endSecond());
    assertTold();
    assertTrue(add("d", "it has no secret"), "the next second begins");
    assertTold("d: it has no secret");
    assertEquals(44, refusals.total());
  }

  @Test
  void numbersAndQuotedNamesMakeNoOtherReason() {
    assertTrue(add("a", "it belongs to the grid \"x\", and this node to \"grid\""));
    assertFalse(add("b", "it belongs to the grid \"y \\\" z\", and this node to \"grid\""));
    assertFalse(add("c", "it speaks version 7"));
    assertFalse(add("d", "it speaks version 99"));
    assertTold(
        "a: it belongs to the grid \"x\", and this node to \"grid\"", "c: it speaks version 7");
    endSecond();
    assertTold(
        "b: it belongs to the grid \"y \\\" z\", and this node to \"grid\"",
        "d: it speaks version 99");
  }

  @Test
  void eachPeerOfTheSettingsIsToldOf() {
    note(refusals.addPeer("10.0.0.1:7100", "reset"));
    note(refusals.addPeer("10.0.0.2:7100", "reset"));
    note(refusals.addPeer("10.0.0.2:7100", "reset"));
    add("10.0.0.2:39017", "reset");
    assertTold("10.0.0.1:7100: reset", "10.0.0.2:7100: reset", "10.0.0.2:39017: reset");
    refusals.end().forEach(line -> told.add(line.address() + ": " + line.reason()));
    assertTold("10.0.0.2:7100: reset");
    assertTrue(add("a", "reset"), "nothing is left of what was");
  }

  /** Whoever finds ever other reasons gets a bounded number of lines as well. */
  @Test
  void whateverIsRefusedTheLinesOfASecondAreBounded() {
    Random random = new Random(1);
    int refused = 0;
    for (int second = 0; second < 20; second++) {
      for (int i = 0; i < 5_000; i++) {
        byte[] noise = new byte[random.nextInt(400)];
        random.nextBytes(noise);
        add("a", new String(noise, java.nio.charset.StandardCharsets.ISO_8859_1));
        refused++;
      }
      endSecond();
      assertTrue(told.size() <= 2 * (Refusals.REASONS_MAX + 1), () -> told.size() + " lines");
      for (String line : told) {
        assertTrue(line.chars().noneMatch(Character::isISOControl), line);
        assertTrue(line.length() <= PrintableText.LENGTH_MAX + 50, line);
      }
      told.clear();
    }
    assertEquals(refused, refusals.total());
  }

  @Test
  void whatExceedsTheBoundIsToldAsOne() {
    for (char each = 'a'; each < 'a' + Refusals.REASONS_MAX + 3; each++) {
      add("a", String.valueOf(each));
    }
    assertEquals(Refusals.REASONS_MAX, told.size());
    told.clear();
    endSecond();
    assertTold("a: s (and 2 more for other reasons)");
  }

  @Test
  void aTextIsCutAndWithoutControlCharacters() {
    assertEquals("\"a\\\\\\\"b\\u000d\\u000a\"", PrintableText.quoted("a\\\"b\r\n"));
    assertEquals("\\u202e\\u2028\\ud800 naïve 鯱", PrintableText.of("\u202e\u2028\ud800 naïve 鯱"));
    String orcas = PrintableText.of("\ud83d\udc0b".repeat(1_000));
    assertTrue(orcas.length() <= PrintableText.LENGTH_MAX && orcas.endsWith("..."), orcas);
    assertEquals(orcas, PrintableText.of(orcas));
    assertEquals(
        PrintableText.NAME_LENGTH_MAX + 2, PrintableText.quoted("\u0000".repeat(64)).length());
  }
}
